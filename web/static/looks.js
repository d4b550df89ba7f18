// @ts-check
/** @typedef {import("./vivant.js").Looks} Looks */

/**
 * The choice of host, scene, manner and framing. Dispatches `change` when one is made; `detail` is
 * whether another host was chosen.
 */
export class LookChoice extends EventTarget {
  /**
   * @param {(id: string) => any} find
   * @param {(key: string) => string} say
   */
  constructor(find, say) {
    super();
    this.say = say;
    this.box = find("looks");
    this.hosts = find("hosts");
    this.figure = find("figure");
    /** @type {Record<string, HTMLSelectElement>} */
    this.selects = { scene: find("scene"), style: find("style"), framing: find("framing") };
    /** @type {Looks | null} */
    this.looks = null;
    this.hosts.addEventListener("change", () => {
      this.#showFigure();
      this.#tell(true);
    });
    for (const select of Object.values(this.selects)) {
      select.addEventListener("change", () => this.#tell(false));
    }
  }

  /** Offer what the server has; nothing is shown where it offers nothing. @param {Looks | null} looks */
  offer(looks) {
    this.looks = looks;
    this.box.hidden = !looks;
    if (!looks) return;
    this.hosts.replaceChildren(...looks.avatars.map((avatar) => card(avatar, avatar.name === looks.default.avatar)));
    for (const [kind, names] of [["scene", looks.scenes], ["style", looks.styles]]) {
      const select = this.selects[/** @type {string} */ (kind)];
      const own = looks.default[/** @type {"scene" | "style"} */ (kind)];
      select.replaceChildren(.../** @type {string[]} */ (names).map((name) => this.#option(`${kind}.${name}`, name)));
      select.value = own;
    }
    const framings = looks.framings.map((name) => this.#option(`framing.${name}`, name));
    this.selects.framing.replaceChildren(this.#option("automatic", ""), ...framings);
    this.#showFigure();
  }

  /** Say it in the language the page has now. */
  retell() {
    for (const select of Object.values(this.selects)) {
      for (const option of select.options) option.textContent = this.#words(option.dataset.key ?? "", option.value);
    }
  }

  /**
   * What a call begins with, as `session.avatar` of the API; null leaves it to the server.
   *
   * @returns {import("./vivant.js").SessionChange["avatar"] | null}
   */
  get wish() {
    return this.looks && { name: this.hosts.querySelector("input:checked")?.value ?? null, ...this.change };
  }

  /**
   * What may change while a call lasts.
   *
   * @returns {NonNullable<import("./vivant.js").SessionChange["avatar"]>}
   */
  get change() {
    const { scene, style, framing } = this.selects;
    const framed = this.looks?.framings.find((name) => name === framing.value);
    return { scene: scene.value, style: style.value, framing: framed ?? null };
  }

  /** Whether the chosen host can come at once, and need not be built first. */
  get isReady() {
    return this.#chosen?.ready ?? true;
  }

  /** The chosen host has come. */
  met() {
    if (this.#chosen) this.#chosen.ready = true;
  }

  /** @returns {import("./vivant.js").AvatarEntry | undefined} */
  get #chosen() {
    const name = this.wish?.name;
    return this.looks?.avatars.find((avatar) => avatar.name === name);
  }

  /** Whether the chosen host is the one of that name. @param {string | undefined} name */
  isHost(name) {
    return !this.looks || this.wish?.name === name;
  }

  /**
   * @param {string} key
   * @param {string} name
   */
  #option(key, name) {
    const option = new Option(this.#words(key, name), name);
    option.dataset.key = key;
    return option;
  }

  /**
   * What comes with the program has words; a name of one's own stands as it is.
   *
   * @param {string} key
   * @param {string} name
   */
  #words(key, name) {
    const words = this.say(key);
    return words === key ? name : words;
  }

  #showFigure() {
    const chosen = this.looks?.avatars.find(({ name }) => name === this.wish?.name);
    if (chosen?.picture) this.figure.src = chosen.picture;
  }

  /** @param {boolean} host */
  #tell(host) {
    this.dispatchEvent(new CustomEvent("change", { detail: host }));
  }
}

/**
 * A host to choose: a radio button that looks like a small portrait.
 *
 * @param {import("./vivant.js").AvatarEntry} avatar
 * @param {boolean} chosen
 */
function card({ name, title, picture }, chosen) {
  const label = document.createElement("label");
  label.className = "host-card";
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: "avatar", value: name, checked: chosen });
  const face = document.createElement("span");
  face.className = "face";
  if (picture) {
    const image = document.createElement("img");
    Object.assign(image, { src: picture, alt: "", loading: "lazy", decoding: "async" });
    face.append(image);
  } else {
    face.textContent = title.slice(0, 1);
  }
  const words = document.createElement("span");
  words.textContent = title;
  label.append(input, face, words);
  return label;
}
