// Cloth: light and tone per vertex, in both colours of the pattern; per pixel one texel of the
// fabric: the weave as a factor of brightness, and the pattern as the share of the second colour.
// The weave is fine and even, so its nearest texel will do, at half the price of a filtered one.
// baked: ambient, key, darkening of turned edges and creases.

#ifdef VERTEX
in vec2 uv;
uniform vec3 base;
uniform vec3 second;
uniform vec3 sheen;
uniform float repeat;
out vec2 place;
out vec3 look;
out vec3 other;

void main() {
    vec3 p, n;
    deform(p, n);
    place = uv * repeat;
    vec3 v = normalize(camera.xyz - p);
    float inside = dot(n, v) < -0.15 ? 1.0 : 0.0;
    n *= 1.0 - 2.0 * inside;
    float open = baked.x, key = baked.y;
    float k = clamp((dot(n, KEY) + 0.15) / 1.15, 0.0, 1.0);
    vec3 sum = KEY_COLOUR * k * key + FILL_COLOUR * max(dot(n, FILL) * 0.6 + 0.4, 0.0) * open
        + ambient(n) * open
        + (RIM_A_COLOUR * max(dot(n, RIM_A), 0.0) + RIM_B_COLOUR * max(dot(n, RIM_B), 0.0))
        * open * 0.7;
    sum *= (1.0 - baked.z) * (1.0 - 0.5 * inside);
    float grazing = 1.0 - max(dot(n, v), 0.0);
    grazing *= grazing * grazing;
    float gleam = pow(max(dot(n, normalize(KEY + v)), 0.0), 18.0) * key;
    vec3 shine = sheen * (grazing * 0.5 * open + gleam * 0.25) * (KEY_COLOUR * key * 0.5 + SKY);
    look = shown(base * sum + shine, 1.0).rgb;
    other = shown(second * sum + shine, 1.0).rgb;
}
#else
in vec2 place;
in vec3 look;
in vec3 other;
uniform sampler2D picture;
uniform int level;  // of the texture's mipmaps, where one texel is about one pixel
out vec4 colour;

void main() {
#ifdef PARTS
    colour = vec4(look, 1.0);
#else
    int size = textureSize(picture, 0).x;
    ivec2 thread = ivec2(floor(place * float(size))) >> level;
    thread &= (size >> level) - 1;
    vec2 fabric = texelFetch(picture, thread, level).rg;
    vec3 lit = mix(look, other, fabric.g);
    float weave = 0.70 + 0.60 * fabric.r;
    float over = min((lit.x - 16.0 / 255.0) * weave, 219.0 / 255.0);
    colour = vec4(16.0 / 255.0 + over, lit.yz, 1.0);
#endif
}
#endif
