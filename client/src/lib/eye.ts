// Looking through somebody's eye: a camera where it is, paper models about it. Drawn when something changes, not all the time.
// Fetched when wanted: three.js is larger than all the rest.

import { DirectionalLight, Fog, Group, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer, type Object3D, type Points } from "three";
import type { Beheld, Eye } from "./api";
import { at, DAY, figure, ground, marks, model, NIGHT, sky, type Light } from "./eye_models";
import { clearness } from "./seen";

export interface Label {
  id: string | number;
  name: string;
  x: number; // pixels
  y: number;
}

interface Gaze {
  turn: number; // degrees, as the table counts them
  tilt: number;
  wide: number; // degrees from the lower to the upper edge
}

const WIDE = 50;
const NARROW = 2;
const STEEP = 80;
const TALL = 3; // inches that the picture shows about who is looked at
const POINT = 0.09; // inches: how large a mark is
const TURNING = 320; // milliseconds
const APART: [number, number] = [120, 22]; // pixels between two labels
const EDGE = 60;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export class Gazer {
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(WIDE, 1, 0.08, 400);
  private scene = new Scene();
  private men = new Group();
  private stamps: Points[] = [];
  private light: Light = DAY;
  private gaze: Gaze = { turn: 0, tilt: 0, wide: WIDE };
  private target: Beheld | null = null;
  private frame = 0;
  private freed = false;

  /** Throws where there is no WebGL. */
  constructor(
    canvas: HTMLCanvasElement,
    private eye: Eye,
    private readonly night: boolean,
    private readonly told: (labels: Label[], nearer: number) => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "low-power" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.gaze.turn = eye.angle;
    this.build();
  }

  /** What is to be seen has changed; one goes on looking the same way. */
  show(eye: Eye): void {
    this.eye = eye;
    this.build();
    const again = eye.others.find((other) => other.id === this.target?.id) ?? null;
    this.mark(again);
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.draw();
  }

  /** By degrees, to the left and upwards. */
  look(left: number, up: number): void {
    this.go({ ...this.gaze, turn: this.gaze.turn + left, tilt: this.gaze.tilt + up });
  }

  /** By pixels of a drag: the picture goes along with the finger. */
  drag(x: number, y: number): void {
    const pixel = this.gaze.wide / Math.max(1, this.renderer.domElement.clientHeight);
    this.look(x * pixel, y * pixel);
  }

  zoom(by: number): void {
    this.go({ ...this.gaze, wide: this.gaze.wide / by });
  }

  /** Straight ahead, as he faces. */
  reset(calm: boolean): void {
    this.go({ turn: this.eye.angle, tilt: 0, wide: WIDE }, calm ? 0 : TURNING);
  }

  turnTo(other: Beheld, calm: boolean): void {
    this.mark(other);
    const [x, y, z] = this.eye.at;
    const [ox, oy, oz] = middle(other);
    const far = Math.hypot(ox - x, oy - y, oz - z);
    const turn = (Math.atan2(oy - y, ox - x) * 180) / Math.PI;
    const tilt = (Math.atan2(oz - z, Math.hypot(ox - x, oy - y)) * 180) / Math.PI;
    this.go({ turn, tilt, wide: (Math.atan(TALL / 2 / Math.max(far, 0.1)) * 360) / Math.PI }, calm ? 0 : TURNING);
  }

  free(): void {
    this.freed = true;
    cancelAnimationFrame(this.frame);
    dispose(this.scene);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // ---- building --------------------------------------------------------------------------------------------------------

  private build(): void {
    dispose(this.scene);
    this.light = this.night ? NIGHT : DAY;
    const { lamp, horizon } = this.light;
    this.scene = new Scene();
    this.scene.fog = new Fog(horizon, this.night ? 10 : 40, this.night ? 70 : 220);
    const sun = new DirectionalLight("#fff6e0", 1.2 * lamp);
    sun.position.set(-0.5, 1, 0.35);
    this.scene.add(sky(this.light), new HemisphereLight("#ffffff", "#cdbfa2", 2 * lamp), sun, ground(this.eye.size, this.light));
    for (const solid of this.eye.solids) this.scene.add(model(solid, this.light));
    this.camera.position.copy(at(...this.eye.at));
    this.mark(null);
  }

  private mark(target: Beheld | null): void {
    dispose(this.men);
    this.scene.remove(this.men);
    this.target = target;
    this.men = new Group();
    for (const other of this.eye.others) this.men.add(figure(other, this.light, other.id === target?.id));
    this.stamps = target ? marks(target.probes) : [];
    for (const stamp of this.stamps) this.men.add(stamp);
    this.scene.add(this.men);
    this.draw();
  }

  // ---- looking ---------------------------------------------------------------------------------------------------------

  private go(wanted: Gaze, during = 0): void {
    const to: Gaze = { turn: wanted.turn, tilt: clamp(wanted.tilt, -STEEP, STEEP), wide: clamp(wanted.wide, NARROW, 75) };
    const from = { ...this.gaze };
    to.turn = from.turn + ((((to.turn - from.turn) % 360) + 540) % 360) - 180; // the shorter way round
    const begun = performance.now();
    const step = (): void => {
      const share = during ? Math.min(1, (performance.now() - begun) / during) : 1;
      const eased = share * share * (3 - 2 * share);
      for (const name of ["turn", "tilt", "wide"] as const) this.gaze[name] = from[name] + (to[name] - from[name]) * eased;
      this.paint();
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(step);
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    if (this.freed) return;
    const { turn, tilt, wide } = this.gaze;
    const flat = Math.cos(radians(tilt));
    const ahead = at(Math.cos(radians(turn)) * flat, Math.sin(radians(turn)) * flat, Math.sin(radians(tilt)));
    this.camera.fov = wide;
    this.camera.lookAt(this.camera.position.clone().add(ahead));
    this.camera.updateProjectionMatrix();
    this.sizeMarks();
    this.renderer.render(this.scene, this.camera);
    this.told(this.labels(), Math.tan(radians(WIDE) / 2) / Math.tan(radians(wide) / 2));
  }

  /** Marks are as large as they would be on the body, but never too small to tell apart. */
  private sizeMarks(): void {
    if (!this.target) return;
    const far = at(...middle(this.target)).distanceTo(this.camera.position);
    const pixels = (POINT / (2 * far * Math.tan(radians(this.gaze.wide) / 2))) * this.renderer.domElement.clientHeight;
    const size = clamp(pixels, 7, 26) * this.renderer.getPixelRatio();
    for (const points of this.stamps) (points.material as unknown as { size: number }).size = size;
  }

  /** Names over the heads of who shows himself, and of who is looked at; none over another. */
  private labels(): Label[] {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement;
    const found: Label[] = [];
    const first = (other: Beheld): number => (other.id === this.target?.id ? -1 : at(...middle(other)).distanceTo(this.camera.position));
    for (const other of this.eye.others.toSorted((a, b) => first(a) - first(b))) {
      if (other.id !== this.target?.id && clearness(other) === 0) continue;
      const spot = at(...head(other)).project(this.camera);
      const [x, y] = [((spot.x + 1) / 2) * width, ((1 - spot.y) / 2) * height];
      const outside = spot.z > 1 || x < 0 || x > width || y < 14 || y > height;
      if (outside || found.some((label) => Math.abs(label.x - x) < APART[0] && Math.abs(label.y - y) < APART[1])) continue;
      found.push({ id: other.id, name: other.name, x: clamp(x, EDGE, width - EDGE), y });
    }
    return found;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

function middle(other: Beheld): [number, number, number] {
  const points = other.probes.map((probe) => probe.at);
  const mean = (axis: 0 | 1 | 2): number => points.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, points.length);
  return [mean(0), mean(1), mean(2)];
}

function head(other: Beheld): [number, number, number] {
  const [x, y] = middle(other);
  return [x, y, Math.max(...other.shape.map((box) => box[3]), 0) + 0.1];
}

function dispose(root: Object3D): void {
  root.traverse((one) => {
    const { geometry, material } = one as Partial<Points>;
    geometry?.dispose();
    for (const each of material ? [material].flat() : []) {
      (each as { map?: { dispose(): void } | null }).map?.dispose();
      each.dispose();
    }
  });
}
