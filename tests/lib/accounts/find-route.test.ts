import { routeFinder } from '../../../lib/accounts/find-route'
import { SPECIFIED_WHO_AM_I } from '../../../lib/auth/account-route'
import { Contexts } from '../../../lib/auth/contexts'
import { ask, serveHandlers } from '../../support/http'

test('what is found for some data is not what is found for others, of which a resource takes the path', async () => {
  const contexts = new Contexts()
  const ofMain = routeFinder([SPECIFIED_WHO_AM_I], contexts, { state: {} })
  const ofSandbox = routeFinder([SPECIFIED_WHO_AM_I], contexts, { state: { auth: [] } })
  const server = await serveHandlers((request, response) => {
    response.json(
      [ofMain(request), ofSandbox(request), ofMain(request)].map((route) => route?.does ?? 'none'),
    )
  })
  const { text } = await ask(server.url, { path: SPECIFIED_WHO_AM_I.path })
  expect(JSON.parse(text)).toEqual(['whoAmI', 'none', 'whoAmI'])
  await server.close()
})
