import "@rhumbline/element";
import { renderToString } from "react-dom/server";
import { App, type Wanted } from "./app";

export const render = (wanted: Wanted): string => renderToString(<App {...wanted} />);
