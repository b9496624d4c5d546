/** `json-server-bearer/testing`: gives a test its own data, with any test runner. */
export type * from './sandbox'
export { openSandbox } from './sandbox'
export { sandboxName } from './sandbox-name'
