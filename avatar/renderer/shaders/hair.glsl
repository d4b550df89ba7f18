// Hair after Kajiya and Kay (1989) with two shifted highlights, the second in the hair's own colour
// (Marschner et al. 2003). Light and tone are worked out per vertex for a dark and a bright strand;
// each pixel mixes the two by the picture of strands, and takes silver where it has a grey one.
// baked: ambient, key, place along the strand from root to tip, tone of the lock from -1 to 1.
// STRAND: hair that thins out to single strands, blended.

#ifdef VERTEX
in vec2 uv;
in vec3 tangent;
uniform vec3 base;
uniform vec3 tip;
out vec2 place;
out vec3 dark;
out vec3 bright;
out vec3 silver;

const vec3 GREY = vec3(0.31, 0.305, 0.30);

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv;
    vec3 t = normalize(turned(tangent));
    vec3 v = normalize(camera.xyz - p);
    if (dot(n, v) < 0.0) n = normalize(v * 0.6 - n * 0.4);
    float open = baked.x, key = baked.y;
    vec3 b = mix(base * 0.82, tip, baked.z * sqrt(baked.z)) * (1.0 + 0.22 * baked.w);
    // Light that passed through several strands takes their colour again: start paler than it.
    b = mix(vec3(dot(b, vec3(0.2126, 0.7152, 0.0722))), b, 0.80);
    float facing = clamp((dot(n, KEY) + 0.35) / 1.35, 0.0, 1.0);
    float along = dot(t, KEY);
    float diffuse = mix(sqrt(max(1.0 - along * along, 0.0)), 1.0, 0.3) * facing;
    vec3 h = normalize(KEY + v);
    float first = dot(normalize(t + n * 0.10), h), second = dot(normalize(t - n * 0.14), h);
    float narrow = pow(max(1.0 - first * first, 0.0), 70.0);
    float wide = pow(max(1.0 - second * second, 0.0), 12.0);
    vec3 light = ambient(n) * open * 1.1 + KEY_COLOUR * key * diffuse * 0.95
        + FILL_COLOUR * max(dot(n, FILL) * 0.6 + 0.4, 0.0) * open;
    float grazing = 1.0 - max(dot(n, v), 0.0);
    grazing *= grazing;
    float across_a = dot(t, RIM_A), across_b = dot(t, RIM_B);
    vec3 back = RIM_A_COLOUR * max(dot(n, RIM_A) * 0.7 + 0.3, 0.0) * (1.0 - across_a * across_a)
        + RIM_B_COLOUR * max(dot(n, RIM_B) * 0.7 + 0.3, 0.0) * (1.0 - across_b * across_b);
    light += back * 0.5 * open;
    vec3 shine = KEY_COLOUR * key * facing * (vec3(0.95, 0.84, 0.74) * narrow * 0.08 + b * wide * 1.30)
        + back * (b * 0.9 + 0.012) * grazing * open;
    dark = shown(b * light * 0.62 + shine * 0.25, 1.0).rgb;
    bright = shown(b * light * 1.36 + shine * 1.80, 1.0).rgb;
    silver = shown(GREY * light + shine, 1.0).rgb - 0.5 * (dark + bright);
}
#else
in vec2 place;
in vec3 dark;
in vec3 bright;
in vec3 silver;
uniform sampler2D picture;
out vec4 colour;

void main() {
    vec3 strand = texture(picture, place).rgb;
    colour.rgb = dark + (bright - dark) * strand.g + silver * strand.b;
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
