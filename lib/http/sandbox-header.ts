/** The header of a request that names a sandbox; its response repeats it. A server without sandboxes says that it has none. */
export const SANDBOX_HEADER = 'X-Sandbox'
