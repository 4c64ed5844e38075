/** Parses addresses as people write them. */
import { comparable } from '../../model/contact-addresses.ts';

/** The normalised address in `Bob <bob@globex.test>`, or a bare one. */
export function addressIn(text: string): string | undefined {
  return comparable(/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text);
}
