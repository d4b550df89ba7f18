// Teeth, gums and tongue: darker the deeper they lie and the more a lip shades them.
// baked.z: depth in the mouth, baked.w: shade of the lip, each 0 to 1.

#ifdef VERTEX
in vec2 uv;
out vec2 place;
out vec3 surface;
out vec3 half_way;
out float open;

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv;
    surface = n;
    half_way = normalize(KEY + normalize(camera.xyz - p));
    open = clamp(1.0 - 1.15 * baked.z, 0.06, 1.0) * (1.0 - 0.75 * baked.w);
}
#else
in vec2 place;
in vec3 surface;
in vec3 half_way;
in float open;
uniform sampler2D picture;
uniform float gloss;
out vec4 colour;

void main() {
    vec3 n = normalize(surface);
    vec3 base = texture(picture, place).rgb;
    float k = clamp((dot(n, KEY) + 0.3) / 1.3, 0.0, 1.0);
    vec3 sum = base * base * (KEY_COLOUR * k * 0.85 + vec3(0.40, 0.375, 0.34)) * open;
    sum += gloss * pow(max(dot(n, normalize(half_way)), 0.0), 60.0) * open;
    colour = shown(sum, 1.0);
}
#endif
