import { compileRules, type RewriteRules } from '../../../lib/http/rewrite-rules'
import { runInLimitedTime } from '../../../lib/limited-time'

jest.mock('../../../lib/limited-time')

const interrupted = (work: () => unknown) => {
  work()
  return undefined
}
const done = (work: () => unknown) => ({ result: work() })

/** By default, a rule that is not plainly quick, and would act again on where it leads. */
function rewritten(url: string, rules: RewriteRules = { '/(a|b)/*': '/a/x/$2' }): string {
  const request = Object.create({ url, originalUrl: url })
  compileRules(rules, () => true)(request, Object.create(null))
  return request.url
}

/** What the process has used of its processor since the comparison has begun, in milliseconds. */
function processorTime(milliseconds: number): void {
  jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: milliseconds * 1000, system: 0 })
}
afterEach(() => jest.resetAllMocks())

it('compares a path again, as it was sent, where the machine let the process wait', () => {
  processorTime(10)
  jest.mocked(runInLimitedTime).mockImplementationOnce(interrupted).mockImplementationOnce(interrupted)
  jest.mocked(runInLimitedTime).mockImplementationOnce(done)
  expect(rewritten('/a/1')).toBe('/a/x/1')
})

it('refuses a path that has taken the time of the processor', () => {
  processorTime(90)
  jest.mocked(runInLimitedTime).mockImplementationOnce(interrupted)
  expect(() => rewritten('/a/1')).toThrow(expect.objectContaining({ status: 414 }))
})

describe('a rule that is not plainly quick', () => {
  const rules = {
    '/api/*': '/$1',
    '/v1:rest*': '/:rest',
    '/*/*/x/*/y': '/found',
    '/old': '/V1posts?x=1',
    '/post/:id(\\d+)/': '/posts/:id',
    '/(a|b)/list/': '/found',
    '/one(.*)\\/': '/found',
    '/two(.*)/\\/': '/found',
  }

  it.each(['/posts', '/v2x?v1=1', '/v', '/y/x/', '/'.repeat(16_000)])(
    'is not compared with %.20s, which does not hold its texts',
    (url) => {
      expect(rewritten(url, rules)).toBe(url)
      expect(runInLimitedTime).not.toHaveBeenCalled()
    },
  )

  it.each([
    ['/v1posts', '/posts'],
    ['/V1posts', '/posts'],
    ['/api/v1posts', '/posts'],
    ['/1/2/X/3/y', '/found'],
    // As in json-server, which needs no slash at the end of a path.
    ['/post/12', '/posts/12'],
    ['/post/12/', '/posts/12'],
    ['/b/list', '/found'],
    ['/one1', '/found'],
    ['/one1/', '/found'],
    ['/two2/', '/found'],
  ])('is compared with %s once, in limited time', (url, found) => {
    jest.mocked(runInLimitedTime).mockImplementationOnce(done)
    expect(rewritten(url, rules)).toBe(found)
    expect(runInLimitedTime).toHaveBeenCalledTimes(1)
  })

  it('is compared in limited time where only the path without the query begins so', () => {
    const renamed = { '/new': '/v1posts', '/v1:rest*': '/:rest' }
    jest.mocked(runInLimitedTime).mockImplementationOnce(done)
    expect(rewritten('/new?id=1', renamed)).toBe('/posts?id=1')
    expect(runInLimitedTime).toHaveBeenCalledTimes(1)
  })
})
