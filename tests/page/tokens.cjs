// Prints the tokens of scripts as JSON: the first argument is TypeScript, the others are scripts.
const [typescript, ...scripts] = process.argv.slice(2);
const ts = require(typescript);
const tokens = (file) => {
  const source = ts.createSourceFile(file, require("fs").readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => (node.getChildCount(source) ? node.getChildren(source).forEach(visit) : found.push(node.getText(source)));
  visit(source);
  return found;
};
console.log(JSON.stringify(scripts.map(tokens)));
