// What a test needs from inside the page: sound, pictures and events as they were received, and,
// where the test asks for it with `watch.standIn`, a microphone it can speak into.
(() => {
  const WIDTH = 216;
  const HEIGHT = 384;
  const sound = [];
  const pictures = [];
  const levels = [];
  let rate = 0;
  let level = 0;
  let context = null;
  let target = null;

  const encode = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return btoa(text);
  };

  const decode = (data) => {
    const text = atob(data);
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  };

  const running = () => {
    context ??= new AudioContext();
    return context;
  };

  const record = (track) => {
    const source = running().createMediaStreamSource(new MediaStream([track]));
    const tap = context.createScriptProcessor(1024, 1, 1);
    rate = context.sampleRate;
    tap.onaudioprocess = ({ inputBuffer }) => {
      const samples = inputBuffer.getChannelData(0).slice();
      sound.push(samples);
      level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    };
    source.connect(tap);
    tap.connect(context.destination);
  };

  const film = (video) => {
    const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const shoot = () => {
      pen.drawImage(video, 0, 0, WIDTH, HEIGHT);
      const { data } = pen.getImageData(0, 0, WIDTH, HEIGHT);
      const grey = new Uint8Array(WIDTH * HEIGHT);
      for (let at = 0; at < grey.length; at += 1) grey[at] = data[4 * at + 1];
      pictures.push(grey);
      levels.push(level);
      video.requestVideoFrameCallback(shoot);
    };
    video.requestVideoFrameCallback(shoot);
  };

  const Peer = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Peer {
    constructor(...values) {
      super(...values);
      window.watch.settings = values[0];
      window.watch.peer = this;
      this.addEventListener("track", ({ track }) => {
        if (track.kind === "audio") record(track);
        else film(document.querySelector("video"));
      });
    }

    createDataChannel(...values) {
      const channel = super.createDataChannel(...values);
      channel.addEventListener("message", ({ data }) => window.watch.events.push(JSON.parse(data)));
      window.watch.channel = channel;
      return channel;
    }
  };

  window.watch = {
    record,
    events: [],
    sent: [],
    granted: [],
    followed: [],
    standIn() {
      target = running().createMediaStreamDestination();
      // A microphone delivers silence too; a destination that nothing feeds delivers nothing.
      const silence = new ConstantSourceNode(context, { offset: 0 });
      silence.connect(target);
      silence.start();
      navigator.mediaDevices.getUserMedia = async (wishes) => {
        window.watch.wishes = wishes;
        window.watch.microphone = target.stream.clone();
        return window.watch.microphone;
      };
    },
    // Notes each text that an element shows, and when (milliseconds).
    follow(selector) {
      const element = document.querySelector(selector);
      const note = () => window.watch.followed.push([element.textContent, performance.now()]);
      new MutationObserver(note).observe(element, { childList: true });
    },
    // A browser that asks, and waits for the person's answer until `allow`.
    askFirst() {
      const { getUserMedia } = navigator.mediaDevices;
      const answered = new Promise((resolve) => (window.watch.allow = resolve));
      navigator.mediaDevices.getUserMedia = async (wishes) => {
        await answered;
        const stream = await getUserMedia.call(navigator.mediaDevices, wishes);
        window.watch.granted.push(stream);
        return stream;
      };
    },
    // As if the server had sent it.
    tell(...told) {
      for (const event of told) {
        const message = new MessageEvent("message", { data: JSON.stringify(event) });
        window.watch.channel.dispatchEvent(message);
      }
    },
    // Keeps what the page sends on its data channel.
    listenIn() {
      const { send } = RTCDataChannel.prototype;
      RTCDataChannel.prototype.send = function note(data) {
        window.watch.sent.push(JSON.parse(data));
        send.call(this, data);
      };
    },
    // Nothing passes between the page and the server any more, and the browser says so.
    cut() {
      const { peer } = window.watch;
      peer.close();
      Object.defineProperty(peer, "connectionState", { value: "failed" });
      peer.dispatchEvent(new Event("connectionstatechange"));
    },
    unplug() {
      const [track] = window.watch.microphone.getAudioTracks();
      track.stop();
      track.dispatchEvent(new Event("ended")); // stop() by the page itself tells nobody
    },
    speak(data, speechRate) {
      const samples = decode(data);
      const buffer = context.createBuffer(1, samples.length, speechRate);
      buffer.copyToChannel(samples, 0);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(target);
      source.start();
    },
    take() {
      const joined = new Float32Array(sound.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of sound.splice(0)) {
        joined.set(part, at);
        at += part.length;
      }
      const shot = pictures.splice(0);
      const frames = new Uint8Array(shot.length * WIDTH * HEIGHT);
      shot.forEach((grey, index) => frames.set(grey, index * WIDTH * HEIGHT));
      return {
        sound: encode(new Uint8Array(joined.buffer)),
        rate,
        pictures: encode(frames),
        levels: levels.splice(0),
        width: WIDTH,
        height: HEIGHT,
      };
    },
  };
})();
