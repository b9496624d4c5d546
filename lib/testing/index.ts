/** `json-server-bearer/testing`: gives a test its own data, with any test runner. */
export type { FaultRule } from '../options/faults/fault-rule'
export type { ActedRule } from '../options/faults/faults'
export type { AskedRequest, RequestFilter, Sandbox, SandboxOptions, User } from './sandbox'
export { openSandbox } from './sandbox'
export { sandboxName } from './sandbox-name'
