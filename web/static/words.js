// @ts-check
/** The words of the page, in both languages. */

/** @typedef {"en" | "zh"} Tongue */

/** @type {Record<Tongue, Record<string, string>>} */
const WORDS = {
  en: {
    title: "Vivant · talk to a digital host",
    skip: "Skip to the conversation controls",
    notice: "You are talking to an AI-generated host.",
    tongue: "中文",
    welcome: "Ask me anything about the shop",
    welcomeMore: "Press the button and speak. Interrupt me whenever you like.",
    start: "Start talking",
    connecting: "Connecting…",
    mute: "Mute",
    unmute: "Unmute",
    useMicrophone: "Turn on mic",
    interrupt: "Interrupt",
    end: "End call",
    stage: "The host",
    video: "Live picture of the host",
    conversation: "Conversation",
    empty: "What you and the host say appears here.",
    question: "Type a question",
    send: "Send",
    settings: "Voice and language",
    voice: "Voice",
    language: "Conversation language",
    automatic: "Automatic",
    english: "English",
    mandarin: "Mandarin",
    looks: "Host and scene",
    avatar: "Host",
    scene: "Scene",
    style: "Manner",
    framing: "Framing",
    "scene.studio": "Studio",
    "scene.shop": "Shop",
    "scene.kitchen": "Kitchen",
    "scene.evening": "Evening lounge",
    "scene.boutique": "Boutique",
    "scene.spotlight": "Spotlight",
    "scene.plain_white": "Plain white",
    "scene.green_screen": "Green screen",
    "style.natural": "Natural",
    "style.calm": "Calm",
    "style.lively": "Lively",
    "style.elegant": "Elegant",
    "style.playful": "Playful",
    "framing.head": "Head",
    "framing.half": "Half body",
    "framing.full": "Full body",
    "host.next": "Another host answers in a call of their own.",
    callHost: "Call this host",
    user: "You",
    host: "Host",
    interrupted: "interrupted",
    "state.idle": "Not connected",
    "state.asking": "Microphone?",
    "state.connecting": "Connecting",
    "state.preparing": "Getting the host ready, some seconds",
    "state.listening": "Listening",
    "state.muted": "You are muted",
    "state.typing": "Type to ask",
    "state.hearing": "Hearing you",
    "state.thinking": "Thinking",
    "state.speaking": "Speaking",
    "state.lost": "Connection lost",
    latency: "Last reply",
    "latency.none": "–",
    "latency.speech": "from the end of your speech to the first sound, measured in this page",
    "latency.text": "from sending your question to the first sound, measured in this page",
    "latency.how": "measured in this page, from the end of your speech to the first sound",
    seconds: "s",
    "error.denied":
      "The browser did not give access to the microphone. Type your questions, or allow it in the address bar and try again.",
    "error.absent": "No microphone was found. You can type your questions.",
    "error.busy": "The microphone is in use by another program. You can type your questions.",
    "error.insecure":
      "Browsers give the microphone only to pages served over https or from this machine. You can type your questions.",
    "error.unplugged": "The microphone was disconnected. You can type your questions.",
    "error.full": "All places are taken right now.",
    "error.preparing": "The host is still being made ready.",
    "error.lost": "The connection was lost.",
    "error.unreachable": "The server cannot be reached.",
    "error.timeout": "No connection came about. A firewall may block the media path.",
    "error.refused": "The server refused the call:",
    "error.unsupported": "This browser has no WebRTC. A current Chrome, Edge, Firefox or Safari has it.",
    "error.server": "The host had a problem:",
    "error.blocked": "The browser holds the sound back.",
    again: "Try again",
    againIn: "Try again in {seconds} s",
    reconnect: "Reconnect",
    play: "Play the sound",
    dismiss: "Close this message",
    ended: "The call has ended.",
  },
  zh: {
    title: "Vivant · 与数字主播对话",
    skip: "跳到对话控制",
    notice: "与您对话的是人工智能生成的主播。",
    tongue: "English",
    welcome: "店里的事，尽管问我",
    welcomeMore: "按下按钮直接说话，随时可以打断我。",
    start: "开始对话",
    connecting: "正在连接…",
    mute: "静音",
    unmute: "取消静音",
    useMicrophone: "开麦克风",
    interrupt: "打断",
    end: "结束通话",
    stage: "主播",
    video: "主播的实时画面",
    conversation: "对话",
    empty: "您和主播说的话会显示在这里。",
    question: "输入问题",
    send: "发送",
    settings: "声音与语言",
    voice: "声音",
    language: "对话语言",
    automatic: "自动",
    english: "英语",
    mandarin: "普通话",
    looks: "主播与场景",
    avatar: "主播",
    scene: "场景",
    style: "风格",
    framing: "景别",
    "scene.studio": "影棚",
    "scene.shop": "店铺",
    "scene.kitchen": "厨房",
    "scene.evening": "夜晚客厅",
    "scene.boutique": "精品店",
    "scene.spotlight": "聚光灯",
    "scene.plain_white": "纯白",
    "scene.green_screen": "绿幕",
    "style.natural": "自然",
    "style.calm": "沉稳",
    "style.lively": "活泼",
    "style.elegant": "优雅",
    "style.playful": "俏皮",
    "framing.head": "头肩",
    "framing.half": "半身",
    "framing.full": "全身",
    "host.next": "换主播需要重新通话。",
    callHost: "呼叫这位主播",
    user: "您",
    host: "主播",
    interrupted: "已打断",
    "state.idle": "未连接",
    "state.asking": "请允许麦克风",
    "state.connecting": "正在连接",
    "state.preparing": "正在准备主播，请稍候",
    "state.listening": "正在听",
    "state.muted": "您已静音",
    "state.typing": "请输入问题",
    "state.hearing": "听到您在说话",
    "state.thinking": "思考中",
    "state.speaking": "正在回答",
    "state.lost": "连接已断开",
    latency: "上次回答",
    "latency.none": "–",
    "latency.speech": "从您说完到第一声，在本页测得",
    "latency.text": "从发送问题到第一声，在本页测得",
    "latency.how": "在本页测得，从您说完到第一声",
    seconds: "秒",
    "error.denied": "浏览器没有提供麦克风。您可以输入问题，或在地址栏允许麦克风后重试。",
    "error.absent": "没有找到麦克风。您可以输入问题。",
    "error.busy": "麦克风正被其他程序使用。您可以输入问题。",
    "error.insecure": "只有 https 网页或本机网页才能使用麦克风。您可以输入问题。",
    "error.unplugged": "麦克风已断开。您可以输入问题。",
    "error.full": "目前名额已满。",
    "error.preparing": "主播还在准备中。",
    "error.lost": "连接已断开。",
    "error.unreachable": "无法连接服务器。",
    "error.timeout": "连接没有建立，可能被防火墙拦截。",
    "error.refused": "服务器拒绝了通话：",
    "error.unsupported": "此浏览器不支持 WebRTC，请使用新版 Chrome、Edge、Firefox 或 Safari。",
    "error.server": "主播遇到问题：",
    "error.blocked": "浏览器暂停了声音。",
    again: "重试",
    againIn: "{seconds} 秒后重试",
    reconnect: "重新连接",
    play: "播放声音",
    dismiss: "关闭此消息",
    ended: "通话已结束。",
  },
};

/** @type {Tongue} */
let tongue = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";

/**
 * Return a word of the interface.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values] what stands in braces
 */
export function say(key, values = {}) {
  const text = WORDS[tongue][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Show the page in the current language. */
export function applyWords() {
  document.documentElement.lang = tongue === "zh" ? "zh-CN" : "en";
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(/** @type {HTMLElement} */ (element).dataset.word ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
  }
  for (const element of document.querySelectorAll("[data-hint]")) {
    element.setAttribute("placeholder", say(/** @type {HTMLElement} */ (element).dataset.hint ?? ""));
  }
}

/** Go over to the other language. */
export function switchTongue() {
  tongue = tongue === "en" ? "zh" : "en";
  applyWords();
}

/** The language to switch to, for the switch's own `lang`. */
export function otherTongue() {
  return tongue === "en" ? "zh-CN" : "en";
}
