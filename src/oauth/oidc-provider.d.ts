/** Types of the library, as far as it is used; it has none itself. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Payload = Record<string, unknown>;

  /** An artifact of the library: a code, token or consent. */
  interface Artifact {
    readonly jti: string;
    readonly exp?: number;
    readonly grantId?: string;
  }

  interface Grant extends Artifact {
    jti: string;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly redirectUris?: readonly string[];
    grantTypeAllowed(type: string): boolean;
  }

  interface Interaction extends Artifact {
    readonly params: Readonly<Record<string, unknown>>;
  }

  interface Context {
    readonly path: string;
    readonly res: ServerResponse;
    body: unknown;
    /** A header of the request; '' if absent. */
    get(header: string): string;
    readonly oidc?: {
      readonly route?: string;
      readonly client?: Client;
      readonly entities: { readonly Grant?: Grant; readonly AccessToken?: Artifact };
    };
  }

  interface Adapter {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant;
    readonly Client: { find(id: string): Promise<Client | undefined> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'server_error', listener: (context: Context, error: unknown) => void): this;
    on(event: 'error', listener: (error: unknown, context: Context) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
    /** The context of the current request. */
    static readonly ctx: Context | undefined;
  }

  const errors: {
    readonly InvalidGrant: new (detail: string) => Error;
    readonly InvalidTarget: new () => Error;
    readonly SessionNotFound: new () => Error;
    readonly InvalidClient: new (message: string) => Error;
    readonly InvalidClientMetadata: new (message: string) => Error;
  };

  export { Provider, errors };
  export type { Adapter, Client, Context, Interaction, Payload };
}
