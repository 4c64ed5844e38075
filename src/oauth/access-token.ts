/** How an access token that is to be revoked is told to the library, for which tokens are opaque: by this and the id of its connection. */
export const ofConnection = 'connection~';
