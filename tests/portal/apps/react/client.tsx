import { hydrateRoot } from "react-dom/client";
import { App, type Wanted } from "./app";

const wanted = Object.fromEntries(new URLSearchParams(location.search)) as unknown as Wanted;
const root = document.getElementById("root");
if (root) hydrateRoot(root, <App {...wanted} />, { onRecoverableError: (error) => console.error(`not hydrated: ${error}`) });
