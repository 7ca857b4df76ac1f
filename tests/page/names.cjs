// Prints what each name of a script stands for, as JSON: where it is declared, "field", or "global" followed by the name.
// The first argument is TypeScript, the others are scripts.
const [typescript, ...scripts] = process.argv.slice(2);
const ts = require(typescript);
const names = (file) => {
  const program = ts.createProgram([file], { allowJs: true, checkJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.Latest });
  const [checker, source] = [program.getTypeChecker(), program.getSourceFile(file)];
  const found = [];
  const isField = ({ parent }, node) =>
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isAccessor(parent)) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) || ts.isExportSpecifier(parent);
  const meaning = (node) => {
    if (isField(node, node)) return `field ${node.text}`;
    const symbol = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node);
    const place = symbol?.declarations?.find((each) => each.getSourceFile() === source);
    return place ? place : `global ${node.text}`;
  };
  const order = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const short = ts.isShorthandPropertyAssignment(node.parent) || (ts.isBindingElement(node.parent) && ts.isObjectBindingPattern(node.parent.parent) && !node.parent.propertyName && !node.parent.dotDotDotToken && node.parent.name === node);
      if (short) found.push(`field ${node.text}`);
      const what = meaning(node);
      if (typeof what !== "string" && !order.has(what)) order.set(what, order.size);
      found.push(typeof what === "string" ? what : order.get(what));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const problems = program.getSyntacticDiagnostics(source).concat(program.getSemanticDiagnostics(source).filter(({ code }) => code === 2451 || code === 2300));
  if (problems.length) throw new Error(problems.map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n")).join("\n"));
  return found;
};
console.log(JSON.stringify(scripts.map(names)));
