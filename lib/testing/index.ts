/** `json-server-bearer/testing`: what a test needs to have data of its own, with any test runner. */
export type { FaultRule } from '../faults/fault-rules'
export type { AskedRequest, RequestFilter, Sandbox, SandboxOptions, User } from './sandbox'
export { openSandbox } from './sandbox'
export { sandboxName } from './sandbox-name'
