/** `json-server-bearer/testing`: gives a test its own data, with any test runner. */
export type {
  ActedRule,
  AskedRequest,
  FaultRule,
  RequestFilter,
  Sandbox,
  SandboxOptions,
  TestUser,
} from './sandbox'
export { openSandbox } from './sandbox'
export { sandboxName } from './sandbox-name'
