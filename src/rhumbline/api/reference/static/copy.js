// A button beside each block of code, where the browser can copy.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.guide pre')) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    });
    const holder = Object.assign(document.createElement('div'), { className: 'copied' });
    block.before(holder);
    block.tabIndex = 0;
    holder.append(block, button);
  }
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      document.getElementById(`${button.dataset.copy}-copied`).textContent = 'Copied';
    });
  }
}
