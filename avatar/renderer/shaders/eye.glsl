// Eyes: an iris set behind the cornea (the texture shifts with the view), a lid's shadow, a box
// light mirrored in the cornea. `tangent` is the direction within the eyeball, -y in front.

#ifdef VERTEX
in vec3 tangent;
uniform vec3 centre;
uniform float lid;
out vec3 local;
out vec3 point;
out vec3 surface;
out vec3 sight;
out float below_lid;
uniform float radius;

void main() {
    vec3 p, n;
    deform(p, n);
    local = tangent;
    point = p;
    surface = n;
    vec3 v = camera.xyz - p;
    // The inverse of a rotation is its transpose: sight in the eyeball's own axes.
    sight = row_x.xyz * v.x + row_y.xyz * v.y + row_z.xyz * v.z;
    below_lid = (p.z - moved(centre).z - lid) / radius;
}
#else
in vec3 local;
in vec3 point;
in vec3 surface;
in vec3 sight;
in float below_lid;
uniform sampler2D picture;
uniform vec3 viewer;
out vec4 colour;

const float IRIS = 0.43;

void main() {
    vec3 d = normalize(local), n = normalize(surface);
    vec3 v = normalize(viewer - point), s = normalize(sight);
    float rho = length(d.xz);
    float inside = 1.0 - smoothstep(IRIS - 0.02, IRIS + 0.02, rho);
    vec2 q = d.xz;
    q -= inside * (s.xz / max(-s.y, 0.3) - d.xz * 0.6) * 0.10 * (1.0 - rho * rho / (IRIS * IRIS));
    vec3 base = texture(picture, q * 0.6 + 0.5).rgb;
    base *= base;
    float open = smoothstep(0.10, -0.80, below_lid) * 0.74 + 0.22;
    open *= mix(0.45, 1.0, smoothstep(0.92, 0.50, abs(d.x)));
    float k = clamp((dot(n, KEY) + 0.3) / 1.3, 0.0, 1.0);
    float side = clamp(-dot(normalize(d.xz + 1e-4), normalize(KEY.xz)), -0.3, 1.0);
    float glow = 1.0 + inside * 0.65 * side * rho / IRIS;
    vec3 sum = base * (KEY_COLOUR * k * 0.85 * glow + FILL_COLOUR * 0.35 + ambient(vec3(0.0, 0.0, 0.2)))
        * open;
    vec3 bulge = normalize(n + (n - vec3(0.0, -1.0, 0.0)) * inside * 0.25);
    vec3 r = reflect(-v, bulge);
    vec3 towards = vec3(0.401, -0.862, 0.309), across = vec3(0.907, 0.422, 0.0);
    vec3 up = vec3(-0.130, 0.280, 0.951);
    float box = smoothstep(0.20, 0.14, abs(dot(r, across))) * smoothstep(0.26, 0.19, abs(dot(r, up)))
        * step(0.0, dot(r, towards));
    float dot_light = smoothstep(0.985, 0.993, dot(r, FILL));
    float mirror = 0.04 + 0.5 * pow(1.0 - max(dot(n, v), 0.0), 5.0);
    sum += vec3(1.0, 0.98, 0.95) * (box * 1.6 + dot_light * 0.35) * smoothstep(0.05, -0.10, below_lid)
        + SKY * mirror * 0.25 * open;
    colour = shown(sum, 1.0);
}
#endif
