// On a server there are no elements to define: the tag is rendered as it is, and the browser makes it the swap box.
