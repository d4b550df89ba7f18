// Skin: wrapped diffuse light per vertex (red reaches furthest round, as under real skin), one
// texture fetch and three lobes of highlight per pixel. Texture: root of colour, gloss in alpha.
// baked: ambient, key, inside of the mouth, moist rim of the lower lid.

#ifdef VERTEX
in vec2 uv;
out vec2 place;
out vec3 surface;
out vec3 half_way;
out vec3 light;
out vec3 shine;
out float strength;

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv;
    surface = n;
    vec3 v = normalize(camera.xyz - p);
    // Hollows of a face are shaded more than they are hidden: it is what gives it its shape.
    float open = baked.x * (0.45 + 0.55 * baked.x), key = baked.y, inside = baked.z;
    vec3 wrap = vec3(0.32, 0.20, 0.15);
    vec3 d = clamp((dot(n, KEY) + wrap) / (1.0 + wrap), 0.0, 1.0);
    d = d * (0.65 * d + 0.35);
    vec3 soft_key = mix(vec3(key), vec3(sqrt(key), key, key), 0.10);
    light = KEY_COLOUR * d * soft_key;
    light += FILL_COLOUR * max(dot(n, FILL) * 0.6 + 0.4, 0.0) * open;
    light += ambient(n) * (open * vec3(0.9, 1.0, 1.02) + vec3(0.072, 0.062, 0.060) * (1.0 - open));
    light += (RIM_A_COLOUR * max(dot(n, RIM_A) * 0.8 + 0.2, 0.0)
        + RIM_B_COLOUR * max(dot(n, RIM_B) * 0.8 + 0.2, 0.0)) * open * 0.5;
    float grazing = 1.0 - max(dot(n, v), 0.0);
    grazing *= grazing;
    grazing *= grazing;
    shine = (RIM_A_COLOUR * max(dot(n, RIM_A), 0.0) + RIM_B_COLOUR * max(dot(n, RIM_B), 0.0))
        * grazing * 1.1 * open + SKY * grazing * 0.4 * open;
    light = mix(light, vec3(0.05, 0.015, 0.012) * (0.4 + 2.0 * open), inside);
    shine *= 1.0 - inside;
    strength = key * max(dot(n, KEY), 0.0) * (0.6 + 2.0 * grazing) * (1.0 - inside);
    light = mix(light, light * vec3(0.92, 0.72, 0.70), baked.w);
    shine += baked.w * open * vec3(0.26, 0.26, 0.28);
    half_way = normalize(KEY + v);
}
#else
in vec2 place;
in vec3 surface;
in vec3 half_way;
in vec3 light;
in vec3 shine;
in float strength;
uniform sampler2D picture;
out vec4 colour;

void main() {
    vec4 skin = texture(picture, place);
    float h = max(dot(surface, half_way), 0.0);
    h = h * h / (dot(surface, surface) * dot(half_way, half_way));
    float h4 = h * h * h * h;
    float h8 = h4 * h4;
    float h28 = h8 * h8 * h8 * h4;
    float lobes = h8 * 0.08 + h28 * 0.22 * skin.a + h28 * h28 * h28 * max(skin.a - 0.55, 0.0);
    colour = shown(skin.rgb * skin.rgb * light + shine * skin.a + KEY_COLOUR * (lobes * strength), 1.0);
}
#endif
