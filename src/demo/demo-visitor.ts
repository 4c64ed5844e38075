/** One of the people through whose eyes a visitor of the demo can look, as pages show them. */
export interface DemoVisitor {
  readonly personId: string;
  readonly place: { readonly organizationId: string; readonly workspaceUserId: string };
  readonly name: string;
  readonly role: string;
  /** What the demo is called. */
  readonly organizationName: string;
  /** In a sentence. */
  readonly sees: string;
  /** What there is for this person, by a word. */
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** The demo of a service that this machine alone can reach. */
export interface DemoVisitors {
  /** Those who are active users of the demo; none where there is no demo. */
  people(): Promise<readonly DemoVisitor[]>;
}
