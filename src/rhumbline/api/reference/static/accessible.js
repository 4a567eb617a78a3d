// What Swagger UI leaves out for those who do not see or point: a plugin that gives controls names and reaches what scrolls.
export function isAccessible({ React }) {
  const element = React.createElement;
  return {
    components: {
      CloseIcon: () => element('span', { role: 'img', 'aria-label': 'Close' }, '✕'),
      // Its own is a link within a button.
      DeepLink: ({ text }) => element('span', null, text),
      PlainTextViewer: ({ className, children }) => element('pre', { className, tabIndex: 0 }, children),
    },
    wrapComponents: {
      // A name that differs from the words on the button cannot be spoken.
      Button: (Original) => function NamedByItsWords(props) {
        return element(Original, { ...props, 'aria-label': undefined });
      },
      JsonSchemaForm: (Original) => function LabelledForm(props) {
        return element('label', { className: 'value' },
          element('span', { className: 'hide' }, props.description), element(Original, props));
      },
    },
  };
}
