/** Permissions of what the extension keeps on this machine: nobody but the user may read it. Windows ignores them. */
export const ownFolder = 0o700;
export const ownFile = 0o600;
