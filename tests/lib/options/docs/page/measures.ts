import type { Page } from 'playwright-core'

/** Whether the page scrolls sideways, itself or in the part below the top. */
export function scrollsSideways(page: Page): Promise<unknown> {
  return page.evaluate(
    "[document.documentElement, document.getElementById('swagger-ui')].some((part) => part.scrollWidth > part.clientWidth)",
  )
}

/**
 * Waits until an expression is true in the page. Playwright's `waitForFunction` would evaluate the text
 * within the page, which forbids that (Content-Security-Policy).
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await page.evaluate('new Promise(requestAnimationFrame)')
}

/** Which parts of the executed operations are wider than their frame. */
export function tooWide(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.opblock')].flatMap((frame) =>
    [...frame.querySelectorAll('.live-responses-table, .curl-command, .request-url, .responses-inner')]
      .filter((part) => part.getBoundingClientRect().right > frame.getBoundingClientRect().right)
      .map((part) => frame.id + ' ' + part.className))`)
}

/** Waits until an operation's head can be seen: nothing else is where its middle is. */
export async function comesIntoSight(page: Page, name: string): Promise<void> {
  await waitUntil(
    page,
    `(() => {
    const head = document.querySelector('#operations-${name} .opblock-summary-control')
    const { x, y, width, height } = head.getBoundingClientRect()
    return head.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })()`,
  )
}

/** Waits until the response of an executed operation can be seen, from its head to where its body begins. */
export async function responseComesIntoSight(page: Page, name: string): Promise<void> {
  await waitUntil(
    page,
    `(() => {
    const table = document.querySelector('#operations-${name} .live-responses-table')
    const place = document.getElementById('swagger-ui').getBoundingClientRect()
    const body = table.querySelector('.highlight-code').getBoundingClientRect()
    return table.getBoundingClientRect().top >= place.top - 1 && body.top + 50 <= place.bottom
  })()`,
  )
}

/** The contrast of the first such element with what is behind it, from 1 to 21, as WCAG 2.1 defines it. */
export function contrast(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const element = document.querySelector('${selector}')
    const canvas = document.createElement('canvas').getContext('2d')
    const luminance = (colors) => {
      for (const color of colors) {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = []
    for (let part = element; part !== null; part = part.parentElement)
      behind.unshift(getComputedStyle(part).backgroundColor)
    const back = luminance(['#fff', ...behind])
    const front = luminance([getComputedStyle(element).color])
    return (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05)
  })()`)
}
