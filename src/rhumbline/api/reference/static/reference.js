// Swagger UI (https://github.com/swagger-api/swagger-ui/tree/master/docs), asking the service that it came from.
import { isAccessible } from './accessible.js';
import { showsCodeSamples } from './samples.js';

const mount = document.getElementById('reference');

// All errors have one form, which the guide describes: repeated with each of them it would bury the answers.
function shortened(spec) {
  for (const operation of Object.values(spec.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status >= '300') {
        delete response.content;
        delete response.headers;
      }
    }
  }
  return spec;
}

// Its own layout would bring a second heading, a choice of servers, and a second main element.
function bareLayout({ React }) {
  const BareLayout = ({ getComponent, specSelectors }) => {
    const parts = ['errors', 'AuthorizeBtnContainer', 'operations', 'Models'];
    const shown = specSelectors.specStr() || specSelectors.specJson().size ? parts : [];
    return React.createElement('div', { className: 'swagger-ui' },
      React.createElement(getComponent('SvgAssets')),
      ...shown.map((name) => React.createElement(getComponent(name, true), { key: name })));
  };
  return { components: { BareLayout } };
}

async function begin() {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  const spec = shortened(await response.json());
  // What is tried goes to where the page is, whatever other names the service has: the page may ask nobody else.
  spec.servers = [{ url: location.origin }];
  window.SwaggerUIBundle({
    spec,
    domNode: mount,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    syntaxHighlight: { activated: false },
    defaultModelsExpandDepth: 0,
    plugins: [
      bareLayout,
      isAccessible,
      showsCodeSamples,
    ],
    layout: 'BareLayout',
    onComplete: () => mount.removeAttribute('aria-busy'),
  });
}

begin().catch((error) => {
  mount.textContent = `The reference could not be shown: ${error.message}`;
  mount.className = 'note bad';
  mount.removeAttribute('aria-busy');
});
