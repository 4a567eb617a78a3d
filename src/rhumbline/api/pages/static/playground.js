// The element follows the form as it is filled; the lines, and what is wrong with them, are the service's to write.
const $ = (id) => document.getElementById(id);
const form = $('playground');
const element = document.querySelector('rhumbline-swap');
const SOON_MS = 400;
const MOST_HEARD = 20;
let asked = 0;
let timer;

function take(page) {
  const next = page.querySelector('rhumbline-swap');
  for (const { name } of [...element.attributes]) {
    if (name !== 'style' && !next.hasAttribute(name)) element.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  $('snippet').textContent = page.getElementById('snippet').textContent;
  if ($('tried')) $('tried').href = page.getElementById('tried').href;
  $('faults').replaceChildren(...page.getElementById('faults').children);
}

async function follow() {
  asked += 1;
  const mine = asked;
  const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // Signed out meanwhile, or out of order: the page itself says so.
  if (!page.getElementById('snippet')) location.assign(address);
  else if (mine === asked) {
    take(page);
    history.replaceState(null, '', address);
  }
}

function colour() {
  const { value, dataset } = $('accent');
  // Its own colour is another by night.
  if (value === dataset.default) element.style.removeProperty('--rhumbline-accent');
  else element.style.setProperty('--rhumbline-accent', value);
}

form.addEventListener('input', () => {
  colour();
  clearTimeout(timer);
  timer = setTimeout(follow, SOON_MS);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(timer);
  follow();
});
colour();

const heard = $('heard');
heard.closest('details').hidden = false;
for (const name of ['choice', 'quote', 'wallet', 'language', 'sent', 'done', 'error', 'warning']) {
  element.addEventListener(`rhumbline-${name}`, ({ detail }) => {
    const brief = JSON.stringify(detail, (key, value) => (key === 'route' && value ? value.adapter : key === 'routes' ? value.length : value));
    const item = Object.assign(document.createElement('li'), { textContent: `rhumbline-${name} ${brief}` });
    heard.prepend(item);
    while (heard.children.length > MOST_HEARD) heard.lastChild.remove();
    $('heard-last').textContent = `rhumbline-${name}`;
  });
}
