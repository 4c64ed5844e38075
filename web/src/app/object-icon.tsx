import {
  Box,
  Briefcase,
  Building2,
  Calendar,
  ChartNoAxesColumn,
  CircleCheck,
  FileText,
  Folder,
  Globe,
  House,
  Mail,
  Package,
  Repeat,
  Star,
  Tag,
  Ticket,
  Truck,
  Users,
  type LucideIcon,
} from 'lucide-react';

/** Icons that objects often name; others get a box. */
const icons: Readonly<Record<string, LucideIcon>> = {
  user: Users,
  users: Users,
  building: Building2,
  target: ChartNoAxesColumn,
  briefcase: Briefcase,
  calendar: Calendar,
  'check-square': CircleCheck,
  'file-text': FileText,
  folder: Folder,
  globe: Globe,
  home: House,
  mail: Mail,
  package: Package,
  repeat: Repeat,
  star: Star,
  tag: Tag,
  ticket: Ticket,
  truck: Truck,
};

/** The icon of an object. */
export function ObjectIcon({ name }: { name: string | null }) {
  const Icon = icons[name ?? ''] ?? Box;
  return <Icon size={16} aria-hidden="true" />;
}
