/** `json-server-bearer/playwright`: the mock as Playwright fixtures, without importing Playwright. */
import { SANDBOX_HEADER } from '../http/sandbox-header'
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox'
import { sandboxName } from './sandbox-name'

// Node does not see the names of a module that is exported whole.
export type {
  ActedRule,
  AskedRequest,
  FaultRule,
  RequestFilter,
  Sandbox,
  SandboxOptions,
  TestUser,
} from './sandbox'

/** What a test gets: `base.extend<MockFixtures>(mockFixtures(...))`. */
export interface MockFixtures {
  /** The sandbox of this test alone. */
  mock: Sandbox
}

export type MockOptions = Omit<SandboxOptions, 'name'>

/** The parts of Playwright's `Route` and `BrowserContext` that are used. */
interface InterceptedRoute {
  request(): { headers(): Record<string, string> }
  fallback(options: { headers: Record<string, string> }): Promise<void>
}
interface BrowserContext {
  route(matches: (url: URL) => boolean, handler: (route: InterceptedRoute) => Promise<void>): Promise<unknown>
}

/** The part of Playwright's `TestInfo` that is used. */
interface Test {
  testId: string
  workerIndex: number
  retry: number
}

/** What a fixture gets besides the one that it replaces. */
interface FixtureArguments {
  mock: Sandbox
  baseURL: string | undefined
}

type Use<Value> = (value: Value) => Promise<void>

export interface PlaywrightFixtures {
  mock: [
    (given: Pick<FixtureArguments, 'baseURL'>, use: Use<Sandbox>, test: Test) => Promise<void>,
    { auto: true },
  ]
  context<Own extends BrowserContext>(
    given: FixtureArguments & { context: Own },
    use: Use<Own>,
  ): Promise<void>
  request<Own extends Sending>(given: FixtureArguments & { request: Own }, use: Use<Own>): Promise<void>
}

/** The methods of Playwright's `APIRequestContext` that send a request. */
const SENDING = ['delete', 'fetch', 'get', 'head', 'patch', 'post', 'put'] as const
type Sending = Record<(typeof SENDING)[number], (to: never, options: never) => unknown>

/**
 * Fixtures for `base.extend` that give each test a sandbox: requests of its pages and of `request` name the
 * sandbox if they go to the mock or to the application (`baseURL`). Requests to other servers stay as they
 * are: a header that they do not expect may break them.
 *
 * @example
 * export const test = base.extend<MockFixtures>(mockFixtures({ url, user }))
 */
export function mockFixtures(options: MockOptions): PlaywrightFixtures {
  const { url } = options
  const isOurs = ({ origin }: URL, baseURL = url) =>
    [url, baseURL].some((own) => new URL(own).origin === origin)
  return {
    mock: [
      // Playwright refuses a fixture without a pattern here: it names what the fixture depends on.
      async ({ baseURL: _baseURL }, use, { testId, workerIndex, retry }) => {
        const name = sandboxName(`${testId}-${workerIndex}-${retry}`)
        const sandbox = await openSandbox({ ...options, name })
        await use(sandbox)
        await sandbox.forget()
      },
      { auto: true },
    ],
    context: async ({ context, mock, baseURL }, use) => {
      await context.route(
        (to) => isOurs(to, baseURL),
        (route) =>
          route.fallback({
            headers: { ...route.request().headers(), [SANDBOX_HEADER.toLowerCase()]: mock.name },
          }),
      )
      await use(context)
    },
    request: async ({ request, mock, baseURL }, use) => {
      // Each test has a request context of its own, which can be changed.
      for (const method of SENDING) {
        const send = request[method]
        request[method] = (to: string | { url(): string }, options: { headers?: object } = {}) => {
          const address = new URL(typeof to === 'string' ? to : to.url(), baseURL)
          const own = isOurs(address, baseURL) ? { [SANDBOX_HEADER]: mock.name } : {}
          return Reflect.apply(send, request, [to, { ...options, headers: { ...own, ...options.headers } }])
        }
      }
      await use(request)
    },
  }
}
