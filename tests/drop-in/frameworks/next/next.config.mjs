// The packages are links to another folder, and Next reads no file outside of its root.
export default { turbopack: { root: '/' } }
