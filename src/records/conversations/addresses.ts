/** Addresses as people write them. */
import { comparable } from '../../model/contact-addresses.ts';

/** The address in `Bob <bob@globex.test>` or one alone, as it is compared. */
export function addressIn(text: string): string | undefined {
  return comparable(/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text);
}
