// What scrolls sideways can be reached by the keyboard: tables, in the frames that Zensical puts around them.
function reach() {
  for (const frame of document.querySelectorAll('.md-typeset__scrollwrap:not([tabindex])')) frame.tabIndex = 0;
}
reach();
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });

// A button in each block of code, where the browser can copy.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.highlight pre')) {
    const text = block.textContent;
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    });
    block.parentElement.classList.add('copied');
    block.after(button);
  }
}
