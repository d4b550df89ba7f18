// Hair after Kajiya and Kay (1989) with two shifted highlights. Light and tone are worked out per
// vertex for a dark and a bright strand; each pixel mixes the two by the strand texture.
// baked: ambient, key, place along the strand from root to tip, tone of the lock from -1 to 1.
// STRAND: loose, blended locks.

#ifdef VERTEX
in vec2 uv;
in vec3 tangent;
uniform vec3 base;
uniform vec3 tip;
out vec2 place;
out vec3 dark;
out vec3 bright;

vec3 strand(vec3 light, vec3 shine, float g) {
    return shown(light * (0.72 + 0.75 * g) + shine * (0.1 + 1.6 * g) * g * 1.6, 1.0).rgb;
}

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv;
    vec3 t = normalize(turned(tangent));
    vec3 v = normalize(camera.xyz - p);
    if (dot(n, v) < 0.0) n = normalize(v * 0.6 - n * 0.4);
    float open = baked.x, key = baked.y;
    vec3 b = mix(base, tip, baked.z * baked.z) * (1.0 + 0.28 * baked.w);
    // Light that passed through several strands takes their colour again: start paler than it.
    b = mix(vec3(dot(b, vec3(0.2126, 0.7152, 0.0722))), b, 0.80);
    float facing = clamp((dot(n, KEY) + 0.35) / 1.35, 0.0, 1.0);
    float along = dot(t, KEY);
    float diffuse = mix(sqrt(max(1.0 - along * along, 0.0)), 1.0, 0.3) * facing;
    vec3 h = normalize(KEY + v);
    float first = dot(normalize(t + n * 0.10), h), second = dot(normalize(t - n * 0.12), h);
    float narrow = pow(max(1.0 - first * first, 0.0), 60.0);
    float wide = pow(max(1.0 - second * second, 0.0), 14.0);
    vec3 light = b * (ambient(n) * open * 1.1 + KEY_COLOUR * key * diffuse * 0.95
        + FILL_COLOUR * max(dot(n, FILL) * 0.6 + 0.4, 0.0) * open);
    vec3 shine = KEY_COLOUR * key * facing * (vec3(0.95, 0.80, 0.66) * narrow * 0.11 + b * wide * 1.25);
    float grazing = 1.0 - max(dot(n, v), 0.0);
    grazing *= grazing;
    vec3 back_a = RIM_A_COLOUR * max(dot(n, RIM_A) * 0.7 + 0.3, 0.0) * (1.0 - pow(dot(t, RIM_A), 2.0));
    vec3 back_b = RIM_B_COLOUR * max(dot(n, RIM_B) * 0.7 + 0.3, 0.0) * (1.0 - pow(dot(t, RIM_B), 2.0));
    light += (back_a + back_b) * b * 0.5 * open;
    shine += (back_a + back_b) * (b * 0.9 + 0.015) * grazing * open;
    dark = strand(light, shine, 0.15);
    bright = strand(light, shine, 0.85);
}
#else
in vec2 place;
in vec3 dark;
in vec3 bright;
uniform sampler2D picture;
out vec4 colour;

void main() {
    vec2 strand = texture(picture, place).rg;
    colour.rgb = dark + (bright - dark) * (strand.g * 1.43 - 0.21);
#ifdef STRAND
#ifdef PARTS
    if (strand.r < 0.5) discard;
#endif
    colour.a = strand.r;
#else
    colour.a = 1.0;
#endif
}
#endif
