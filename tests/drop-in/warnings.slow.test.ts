import { NO_PROCESS, newFolder, removeFolders, sampleData } from '../support/data'
import { killAll, Launched } from '../support/process'

afterAll(async () => {
  await killAll()
  await removeFolders()
})

test('even with --quiet, the standard error has a line for each thing that is ignored or missing', async () => {
  const folder = await newFolder({
    'db.json': JSON.stringify(sampleData()),
    'json-server.json': '{"prot": 3000}',
    // What another process has left, but for a folder, which the server cannot remove.
    [`db.json.saving-${NO_PROCESS}-rest/file`]: '',
    'rules.json': '{"/a/:id": "/posts/:other", "/b": 1, "/c/*": "/$1", "d": "/posts", "*!": "/$1"}',
  })
  const args = 'db.json --cors --port 0 -r rules.json -s missing --quiet'.split(' ')
  const server = await Launched.listening({ folder, args })
  await server.warns(/missing/)
  await server.stop()
  expect(server.stdout).toBe('')
  expect(server.stderr.split('\n')).toEqual([
    expect.stringMatching(/^Warning: --cors /),
    expect.stringMatching(/^Warning: json-server\.json: --prot /),
    expect.stringMatching(/^Warning: .*rules\.json.*":other"/),
    expect.stringMatching(/^Warning: .*rules\.json.*"\/b"/),
    expect.stringMatching(/^Warning: .*rules\.json.*"d"/),
    expect.stringMatching(/^Warning: .+-rest \(\w+\)/),
    expect.stringMatching(/^Warning: .*--static/),
    '',
  ])
})
