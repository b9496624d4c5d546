import { drawTerminal } from '../../tools/draw-terminal'

const ESCAPE = '\u001b'

/** The texts of a picture with their classes. */
function textsOf(output: string): string[] {
  const drawn = drawTerminal('A start', output)
  return [...drawn.matchAll(/<text .*?(?: class="(.*?)")?>(.*?)<\/text>/g)].map(
    ([, classes = '', text]) => `${classes}|${text}`,
  )
}

test.each([
  [
    'bold and dim',
    `${ESCAPE}[1mready${ESCAPE}[22m ${ESCAPE}[2min 310 ms${ESCAPE}[22m`,
    ['bold|ready', 'dim|in 310 ms'],
  ],
  ['two looks at once', `${ESCAPE}[1;36mGET${ESCAPE}[0m /blogs`, ['bold cyan|GET', '| /blogs']],
  [
    'a colour in place of another',
    `${ESCAPE}[32mGET ${ESCAPE}[91m404${ESCAPE}[39m!`,
    ['green|GET ', 'red|404', '|!'],
  ],
  ['a look that lasts to the next line', `${ESCAPE}[2ma\r\nb${ESCAPE}[0m`, ['dim|a', 'dim|b']],
  ['a link', `${ESCAPE}]8;;http://localhost/${ESCAPE}\\here${ESCAPE}]8;;${ESCAPE}\\.`, ['|here', '|.']],
  ['what moves the cursor', `${ESCAPE}[2K${ESCAPE}[?25la`, ['|a']],
  ['signs of XML', 'Bearer <access_token>', ['|Bearer &#60;access_token&#62;']],
])('draws %s', (_title, output, expected) => {
  expect(textsOf(output)).toEqual(expected)
})

test('a text stands in its column and its line, without the empty lines at both ends', () => {
  const drawn = drawTerminal('A start', `\n\na\n\n  b${ESCAPE}[1mc\n\n`)
  const places = [...drawn.matchAll(/<text x="(.*?)" y="(.*?)"/g)].map(([, x, y]) => [Number(x), Number(y)])
  const [[left = 0, top = 0] = [], ...others] = places
  expect(others.map(([x = 0, y = 0]) => [((x - left) / 8.43).toFixed(1), (y - top) / 20])).toEqual([
    ['0.0', 2],
    ['3.0', 2],
  ])
})
