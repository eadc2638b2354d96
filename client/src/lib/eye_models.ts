// Paper models of what stands about an eye: every piece cut from card, with inked edges. Table inches become units of the scene;
// its y is the height, and the table's y runs away from the viewer.

import {
  BackSide, BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, DoubleSide, EdgesGeometry, ExtrudeGeometry, FrontSide, Group,
  LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Points, PointsMaterial, RepeatWrapping, Shape,
  SphereGeometry, SRGBColorSpace, Vector3, type Object3D,
} from "three";
import type { Beheld, Probe, Solid } from "./api";
import { markOf } from "./seen";

export interface Light {
  zenith: string;
  horizon: string;
  paper: string;
  cloth: string; // what the map lies on
  ink: string;
  lamp: number;
}

export const DAY: Light = { zenith: "#9fb9c6", horizon: "#eef1ea", paper: "#e9e1c9", cloth: "#59604f", ink: "#4a4436", lamp: 1 };
export const NIGHT: Light = { zenith: "#070b18", horizon: "#25304a", paper: "#8d8f92", cloth: "#171b20", ink: "#10131c", lamp: 0.42 };

const PAPERS: [RegExp, string][] = [
  [/smoke|dust|steam/, "#e4e2dc"],
  [/gas/, "#d9dc8e"],
  [/woods|hedge|shrub|grass|tree|crop|bush/, "#86a06a"],
  [/water|river|pond/, "#9cbccb"],
  [/hill|slope|bank|sand|earth/, "#cdbd8f"],
  [/rubble|ruin|rock|stone|wreck/, "#b4a893"],
  [/vehicle|steel|bars|metal/, "#8d9486"],
  [/glass|window/, "#c4dbe0"],
  [/wood|door|fence|stall|crate/, "#b8935f"],
  [/roof|floor/, "#cf9f83"],
];
const CARD = "#f1e8d3";
const SIDES: Record<string, string> = {
  red: "#d62828", blue: "#1d5fb4", yellow: "#ffd23f", green: "#26803c", black: "#2b2b2b", white: "#ffffff", purple: "#7b3fa0", orange: "#f58220",
};
const SHARP = 20; // degrees: a fold that is inked
const FOOT = 12;
const DOTS = 64; // to the inch of the map
const FLAT = 0.02; // inches: what has no height lies so much above the map

export const at = (x: number, y: number, z: number): Vector3 => new Vector3(x, z, -y);

function papered(look: string): string {
  return PAPERS.find(([words]) => words.test(look))?.[1] ?? CARD;
}

export function model(solid: Solid, light: Light): Object3D {
  const geometry = solid.open ? standing(solid) : lying(solid);
  const color = papered(solid.look);
  const sheer = solid.clear ? { transparent: true, opacity: 0.34, depthWrite: false } : {};
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color, side: solid.open || solid.clear ? DoubleSide : FrontSide, ...sheer }));
  return withEdges(mesh, light.ink, solid.clear ? 0.35 : 0.8);
}

function withEdges(mesh: Mesh, color: string, opacity: number): Object3D {
  const lines = new LineSegments(new EdgesGeometry(mesh.geometry, SHARP), new LineBasicMaterial({ color, transparent: true, opacity }));
  return new Group().add(mesh, lines);
}

/** A line on the plan is a sheet of card on its edge. */
function standing({ outline, bottom, top }: Solid): BufferGeometry {
  const corners: number[] = [];
  for (let k = 0; k + 1 < outline.length; k++) {
    const [[ax, ay], [bx, by]] = [outline[k]!, outline[k + 1]!];
    const [a, b, c, d] = [at(ax, ay, bottom), at(bx, by, bottom), at(bx, by, top), at(ax, ay, top)];
    for (const corner of [a, b, c, a, c, d]) corners.push(...corner);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

function lying({ outline, bottom, top }: Solid): BufferGeometry {
  const shape = new Shape();
  outline.forEach(([x, y], k) => (k ? shape.lineTo(x, y) : shape.moveTo(x, y)));
  const geometry = new ExtrudeGeometry(shape, { depth: Math.max(top - bottom, FLAT), bevelEnabled: false });
  return geometry.rotateX(-Math.PI / 2).translate(0, bottom, 0);
}

/** The map: a sheet with a line to every inch and a stronger one to every foot, on a cloth. */
export function ground([width, height]: [number, number], light: Light): Object3D {
  const cloth = new Mesh(new PlaneGeometry(600, 600), new MeshLambertMaterial({ color: light.cloth }));
  const sheet = new Mesh(new PlaneGeometry(width, height), new MeshLambertMaterial({ map: ruled(width, height, light) }));
  for (const flat of [cloth, sheet]) flat.rotateX(-Math.PI / 2).position.set(width / 2, 0, -height / 2);
  cloth.position.y = -0.3;
  return new Group().add(cloth, sheet);
}

/** A square foot of the map, laid again and again. */
function ruled(width: number, height: number, light: Light): CanvasTexture {
  const [canvas, pen] = sheetOf(FOOT * DOTS);
  pen.fillStyle = light.paper;
  pen.fillRect(0, 0, FOOT * DOTS, FOOT * DOTS);
  pen.fillStyle = light.ink;
  for (let k = 0; k < FOOT; k++) {
    pen.globalAlpha = k ? 0.22 : 0.7;
    const thick = k ? 2 : 4;
    pen.fillRect(k * DOTS, 0, thick, FOOT * DOTS);
    pen.fillRect(0, FOOT * DOTS - k * DOTS - thick, FOOT * DOTS, thick);
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.set(width / FOOT, height / FOOT);
  texture.anisotropy = 8;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

function sheetOf(size: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
  return [canvas, canvas.getContext("2d")!];
}

export function sky(light: Light): Object3D {
  const dome = new SphereGeometry(280, 24, 16);
  const [low, high] = [new Color(light.horizon), new Color(light.zenith)];
  const heights = dome.getAttribute("position");
  const colours: number[] = [];
  for (let k = 0; k < heights.count; k++) colours.push(...low.clone().lerp(high, Math.min(1, Math.max(0, heights.getY(k) / 160))).toArray());
  dome.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  return new Mesh(dome, new MeshBasicMaterial({ vertexColors: true, side: BackSide, fog: false, depthWrite: false }));
}

/** Somebody, as boxes; who is looked at shows through what hides him. */
export function figure(other: Beheld, light: Light, chosen: boolean): Object3D {
  const man = new Group();
  for (const [x, y, from, to, half] of other.shape) {
    const box = new BoxGeometry(half * 2, to - from, half * 2);
    const part = withEdges(new Mesh(box, new MeshLambertMaterial({ color: new Color(SIDES[other.colour] ?? "#c8c8c8").lerp(new Color(CARD), 0.1) })), light.ink, 1);
    if (chosen) part.add(ghost(box));
    part.position.copy(at(x, y, (from + to) / 2));
    man.add(part);
  }
  return man;
}

function ghost(box: BoxGeometry): Object3D {
  const lines = new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.55, depthTest: false }));
  lines.renderOrder = 5;
  return lines;
}

/** The points of a body, each with the mark of how it is seen. */
export function marks(probes: readonly Probe[]): Points[] {
  return [...new Set(probes.map((probe) => probe.seen))].map((seen) => {
    const own = probes.filter((probe) => probe.seen === seen);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(own.flatMap((probe) => at(...probe.at).toArray())), 3));
    const material = new PointsMaterial({ map: stamp(seen), transparent: true, depthTest: false, sizeAttenuation: false, fog: false });
    const points = new Points(geometry, material);
    points.renderOrder = 10;
    return points;
  });
}

function stamp(seen: string): CanvasTexture {
  const { path, colour } = markOf(seen);
  const [canvas, pen] = sheetOf(64);
  pen.scale(3.2, 3.2);
  const outline = new Path2D(path);
  pen.lineJoin = "round";
  pen.lineWidth = 2.4;
  pen.strokeStyle = "#fffdf6";
  pen.stroke(outline);
  pen.fillStyle = colour;
  pen.fill(outline);
  pen.lineWidth = 1;
  pen.strokeStyle = "#23221c";
  pen.stroke(outline);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
