/** The prefix by which a token's revocation names its connection to the library, for which access tokens are opaque. */
export const ofConnection = 'connection~';
