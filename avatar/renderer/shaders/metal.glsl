// Metal, lacquer and lenses: a small studio mirrored in them, per pixel. Ornaments take few pixels.
// GLASS: a lens, blended: only what it mirrors is drawn, with a breath of its own tint.

#ifdef VERTEX
out vec3 point;
out vec3 surface;
out vec2 open;

void main() {
    vec3 p, n;
    deform(p, n);
    point = p;
    surface = n;
    open = baked.xy;
}
#else
in vec3 point;
in vec3 surface;
in vec2 open;
uniform vec3 base;
uniform float metal;   // 0 lacquer, 1 bare metal
uniform vec3 viewer;
out vec4 colour;

vec3 room(vec3 r) {
    vec3 across = normalize(cross(KEY, vec3(0.0, 0.0, 1.0))), up = cross(across, KEY);
    float box = smoothstep(0.42, 0.30, abs(dot(r, across))) * smoothstep(0.34, 0.24, abs(dot(r, up)))
        * step(0.0, dot(r, KEY)) * open.y;
    float strip = smoothstep(0.80, 0.95, dot(r, FILL));
    float back = smoothstep(0.70, 0.95, max(dot(r, RIM_A), dot(r, RIM_B)));
    float horizon = smoothstep(-0.25, 0.35, r.z);
    return KEY_COLOUR * box * 2.2 + FILL_COLOUR * strip * 1.6 + RIM_A_COLOUR * back * 0.7
        + mix(GROUND * 0.35, SKY * 1.1, horizon) * open.x;
}

void main() {
    vec3 v = normalize(viewer - point), n = normalize(surface);
    if (dot(n, v) < 0.0) n = -n;
    float grazing = pow(1.0 - max(dot(n, v), 0.0), 5.0);
    vec3 mirrored = room(reflect(-v, n));
#ifdef GLASS
#ifdef PARTS
    discard;
#endif
    // A coated lens: a fortieth of the room, less at the middle of what it mirrors.
    float share = 0.025 + 0.35 * grazing;
    colour = shown(mirrored * vec3(0.92, 1.0, 0.97), share * (0.6 + 0.9 * mirrored.g));
#else
    float k = clamp((dot(n, KEY) + 0.15) / 1.15, 0.0, 1.0) * open.y;
    vec3 diffuse = base * (KEY_COLOUR * k + FILL_COLOUR * max(dot(n, FILL) * 0.6 + 0.4, 0.0) * open.x
        + ambient(n) * open.x);
    vec3 face = mix(vec3(0.05), base, metal);
    face += (1.0 - face) * grazing * mix(0.12, 0.6, metal);
    colour = shown(diffuse * (1.0 - 0.75 * metal) + mirrored * face, 1.0);
#endif
}
#endif
