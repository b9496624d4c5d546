export { launchBrowser as default } from './browser'
