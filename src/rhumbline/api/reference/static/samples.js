// A plugin of Swagger UI that shows the document's x-codeSamples above the answers of an operation.
let chosen = 'curl';

function block(React, samples) {
  const element = React.createElement;
  return function CodeSamples() {
    const [label, setLabel] = React.useState(chosen);
    const [copied, setCopied] = React.useState(false);
    const shown = samples.find((each) => each.label === label) ?? samples[0];
    const choose = (next) => {
      chosen = next;
      setLabel(next);
      setCopied(false);
    };
    const copy = () => navigator.clipboard.writeText(shown.source).then(() => setCopied(true), () => setCopied(false));
    return element('section', { className: 'code-samples', 'aria-label': 'Example' },
      element('div', { className: 'code-languages' },
        ...samples.map((each) => element('button', {
          key: each.label, type: 'button', 'aria-pressed': each === shown, onClick: () => choose(each.label),
        }, each.label)),
        element('button', { key: ' copy', type: 'button', className: 'copy', onClick: copy }, copied ? 'Copied' : 'Copy')),
      element('pre', { tabIndex: 0 }, element('code', null, shown.source)));
  };
}

export function showsCodeSamples(system) {
  const React = system.React;
  const blocks = new Map();
  const blockOf = (path, method) => {
    const name = `${method} ${path}`;
    if (!blocks.has(name)) {
      const samples = system.specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples']);
      blocks.set(name, samples ? block(React, samples.toJS()) : null);
    }
    return blocks.get(name);
  };
  return {
    wrapComponents: {
      responses: (Original) => function ResponsesWithSamples(props) {
        const Samples = blockOf(props.path, props.method);
        return React.createElement(React.Fragment, null, Samples && React.createElement(Samples), React.createElement(Original, props));
      },
    },
  };
}
