/** `json-server-bearer/testing`: gives a test its own data, with any test runner. */
export type { FaultRule } from '../faults/fault-rule'
export type { ActedRule } from '../faults/faults'
export type { AskedRequest, RequestFilter, Sandbox, SandboxOptions, User } from './sandbox'
export { openSandbox } from './sandbox'
export { sandboxName } from './sandbox-name'
