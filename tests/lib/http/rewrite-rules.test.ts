import { compileRules } from '../../../lib/http/rewrite-rules'
import { runInLimitedTime } from '../../../lib/limited-time'

jest.mock('../../../lib/limited-time')

const interrupted = (work: () => unknown) => {
  work()
  return undefined
}
const done = (work: () => unknown) => ({ result: work() })

/** Follows a rule that is not plainly quick, and would act again on where it leads. */
function rewritten(url: string): string {
  const request = Object.create({ url, originalUrl: url })
  compileRules({ '/(a|b)/*': '/a/x/$2' })(request, Object.create(null))
  return request.url
}

/** What the process has used of its processor since the comparison has begun, in milliseconds. */
function processorTime(milliseconds: number): void {
  jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: milliseconds * 1000, system: 0 })
}
afterEach(() => jest.restoreAllMocks())

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
