export { closeBrowser as default } from './browser'
