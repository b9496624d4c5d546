/** The header of a request that names a sandbox; its response repeats it. */
export const SANDBOX_HEADER = 'X-Sandbox'
