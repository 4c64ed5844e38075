import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { filterLabelsOf } from '../records/filter/use-filter-labels.ts';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { ownRights, rightsIn, type Rights, type Role, type Wording } from './rights.ts';
import { Setting, SettingPart } from './setting.tsx';
import { SettingTable } from './setting-table.tsx';

/** The rights of each role as text. Admins see all roles; others see their own, as far as they may know it. */
export function RolesPage() {
  const { reader } = useWorkspace();
  const schema = useQuery({ queryKey: [...keys.roles, 'objects'], queryFn: () => kith.schema.list() });
  const objects = schema.data?.objects as readonly ObjectShape[] | undefined; // complete, since `brief` is not set
  return (
    <Setting page="roles" lead={<Lead />}>
      {schema.error && <Failure error={schema.error} again={() => void schema.refetch()} />}
      {!objects && !schema.error && <RowLines />}
      {objects && (reader.isAdmin ? <AllRoles objects={objects} /> : <OwnRole objects={objects} />)}
    </Setting>
  );
}

function Lead() {
  const { roles } = useSettingTexts();
  const { reader } = useWorkspace();
  if (!reader.isAdmin) return `${roles.lead}.`;
  return (
    <>
      {roles.lead}, <a href="/docs/manifest">{roles.inManifest}</a>.
    </>
  );
}

/** Returns a function that makes the texts for an object's rules. */
function useWording(): (object: ObjectShape) => Wording {
  const { roles: texts, filters } = useSettingTexts();
  const formats = useFormats();
  const workspace = useWorkspace();
  return (object) => {
    const filterLabels = filterLabelsOf(workspace, object, filters, formats);
    const value: typeof filterLabels.value = (path, given) =>
      given === '$me' ? texts.theUser : filterLabels.value(path, given);
    return { texts, formats, filterLabels: { ...filterLabels, value } };
  };
}

function AllRoles({ objects }: { objects: readonly ObjectShape[] }) {
  const { roles: texts } = useSettingTexts();
  const wording = useWording();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.roles, 'manifest'],
    queryFn: () => kith.manifest.pull(),
  });
  if (error) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <RowLines />;
  const roles = (data.roles ?? []) as unknown as readonly Role[];
  return roles.map(({ name, isAdmin, permissions = {} }) => (
    <SettingPart key={name} title={<bdi>{name}</bdi>}>
      {isAdmin === true ? (
        <p>{texts.all}</p>
      ) : (
        <RightsTable
          role={name}
          objects={objects}
          rightsOf={(object) => rightsIn(permissions, object, wording(object))}
        />
      )}
    </SettingPart>
  ));
}

function OwnRole({ objects }: { objects: readonly ObjectShape[] }) {
  const { reader, permissions } = useWorkspace();
  const wording = useWording();
  const byObject = objects.flatMap((object) => {
    const permission = permissions[object.name];
    return permission ? [{ object, rights: ownRights(permission, object, wording(object)) }] : [];
  });
  const rights = new Map(byObject.map((one) => [one.object, one.rights]));
  return (
    <SettingPart title={<bdi>{reader.role}</bdi>}>
      <RightsTable role={reader.role} objects={[...rights.keys()]} rightsOf={(object) => rights.get(object)} />
    </SettingPart>
  );
}

interface RightsTableProps {
  readonly role: string;
  readonly objects: readonly ObjectShape[];
  readonly rightsOf: (object: ObjectShape) => Rights | undefined;
}

function RightsTable({ role, objects, rightsOf }: RightsTableProps) {
  const { roles } = useSettingTexts();
  if (objects.length === 0) return <p className="dim">{roles.none}</p>;
  const columns = [roles.records, roles.view, roles.create, roles.update, roles.delete, roles.fields];
  const phrase = (text: string | undefined, without: string) => text || <span className="faint">{without}</span>;
  const rows = objects.map((object) => {
    const rights = rightsOf(object);
    return {
      id: object.name,
      cells: [
        <b key="object">
          <bdi>{object.label}</bdi>
        </b>,
        phrase(rights?.view, roles.rows.none),
        phrase(rights?.create, roles.no),
        phrase(rights?.update, roles.rows.none),
        phrase(rights?.delete, roles.rows.none),
        rights?.fields,
      ],
    };
  });
  return <SettingTable label={roles.may(role)} columns={columns} rows={rows} isEven />;
}
