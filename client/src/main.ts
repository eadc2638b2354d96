import { mount } from "svelte";
import App from "./App.svelte";
import "./looks/base.css";

export default mount(App, { target: document.getElementById("app")! });
