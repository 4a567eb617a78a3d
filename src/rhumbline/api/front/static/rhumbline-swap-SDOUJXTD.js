import{J as X,K as Y,N as ee}from"./rhumbline-swap-NXTNZOJZ.js";var I=globalThis,te=o=>o,R=I.trustedTypes,re=R?R.createPolicy("lit-html",{createHTML:o=>o}):void 0,le="$lit$",f=`lit$${Math.random().toFixed(9).slice(2)}$`,de="?"+f,_e=`<${de}>`,y=document,S=()=>y.createComment(""),E=o=>o===null||typeof o!="object"&&typeof o!="function",q=Array.isArray,xe=o=>q(o)||typeof o?.[Symbol.iterator]=="function",N=`[ 	
\f\r]`,k=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ie=/-->/g,oe=/>/g,b=RegExp(`>|${N}(?:([^\\s"'>=/]+)(${N}*=${N}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ne=/'/g,se=/"/g,he=/^(?:script|style|textarea|title)$/i,K=o=>(e,...t)=>({_$litType$:o,strings:e,values:t}),x=K(1),pe=K(2),He=K(3),$=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),ae=new WeakMap,v=y.createTreeWalker(y,129);function ce(o,e){if(!q(o)||!o.hasOwnProperty("raw"))throw Error("invalid template strings array");return re!==void 0?re.createHTML(e):e}var Ae=(o,e)=>{let t=o.length-1,r=[],i,n=e===2?"<svg>":e===3?"<math>":"",s=k;for(let l=0;l<t;l++){let a=o[l],h,c,d=-1,m=0;for(;m<a.length&&(s.lastIndex=m,c=s.exec(a),c!==null);)m=s.lastIndex,s===k?c[1]==="!--"?s=ie:c[1]!==void 0?s=oe:c[2]!==void 0?(he.test(c[2])&&(i=RegExp("</"+c[2],"g")),s=b):c[3]!==void 0&&(s=b):s===b?c[0]===">"?(s=i??k,d=-1):c[1]===void 0?d=-2:(d=s.lastIndex-c[2].length,h=c[1],s=c[3]===void 0?b:c[3]==='"'?se:ne):s===se||s===ne?s=b:s===ie||s===oe?s=k:(s=b,i=void 0);let g=s===b&&o[l+1].startsWith("/>")?" ":"";n+=s===k?a+_e:d>=0?(r.push(h),a.slice(0,d)+le+a.slice(d)+f+g):a+f+(d===-2?l:g)}return[ce(o,n+(o[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},C=class o{constructor({strings:e,_$litType$:t},r){let i;this.parts=[];let n=0,s=0,l=e.length-1,a=this.parts,[h,c]=Ae(e,t);if(this.el=o.createElement(h,r),v.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=v.nextNode())!==null&&a.length<l;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(le)){let m=c[s++],g=i.getAttribute(d).split(f),z=/([.?@])?(.*)/.exec(m);a.push({type:1,index:n,name:z[2],strings:g,ctor:z[1]==="."?D:z[1]==="?"?B:z[1]==="@"?V:_}),i.removeAttribute(d)}else d.startsWith(f)&&(a.push({type:6,index:n}),i.removeAttribute(d));if(he.test(i.tagName)){let d=i.textContent.split(f),m=d.length-1;if(m>0){i.textContent=R?R.emptyScript:"";for(let g=0;g<m;g++)i.append(d[g],S()),v.nextNode(),a.push({type:2,index:++n});i.append(d[m],S())}}}else if(i.nodeType===8)if(i.data===de)a.push({type:2,index:n});else{let d=-1;for(;(d=i.data.indexOf(f,d+1))!==-1;)a.push({type:7,index:n}),d+=f.length-1}n++}}static createElement(e,t){let r=y.createElement("template");return r.innerHTML=e,r}};function w(o,e,t=o,r){if(e===$)return e;let i=r!==void 0?t._$Co?.[r]:t._$Cl,n=E(e)?void 0:e._$litDirective$;return i?.constructor!==n&&(i?._$AO?.(!1),n===void 0?i=void 0:(i=new n(o),i._$AT(o,t,r)),r!==void 0?(t._$Co??=[])[r]=i:t._$Cl=i),i!==void 0&&(e=w(o,i._$AS(o,e.values),i,r)),e}var j=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:r}=this._$AD,i=(e?.creationScope??y).importNode(t,!0);v.currentNode=i;let n=v.nextNode(),s=0,l=0,a=r[0];for(;a!==void 0;){if(s===a.index){let h;a.type===2?h=new P(n,n.nextSibling,this,e):a.type===1?h=new a.ctor(n,a.name,a.strings,this,e):a.type===6&&(h=new W(n,this,e)),this._$AV.push(h),a=r[++l]}s!==a?.index&&(n=v.nextNode(),s++)}return v.currentNode=y,i}p(e){let t=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,t),t+=r.strings.length-2):r._$AI(e[t])),t++}},P=class o{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,r,i){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=w(this,e,t),E(e)?e===p||e==null||e===""?(this._$AH!==p&&this._$AR(),this._$AH=p):e!==this._$AH&&e!==$&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):xe(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==p&&E(this._$AH)?this._$AA.nextSibling.data=e:this.T(y.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:r}=e,i=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=C.createElement(ce(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(t);else{let n=new j(i,this),s=n.u(this.options);n.p(t),this.T(s),this._$AH=n}}_$AC(e){let t=ae.get(e.strings);return t===void 0&&ae.set(e.strings,t=new C(e)),t}k(e){q(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,r,i=0;for(let n of e)i===t.length?t.push(r=new o(this.O(S()),this.O(S()),this,this.options)):r=t[i],r._$AI(n),i++;i<t.length&&(this._$AR(r&&r._$AB.nextSibling,i),t.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let r=te(e).nextSibling;te(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},_=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,r,i,n){this.type=1,this._$AH=p,this._$AN=void 0,this.element=e,this.name=t,this._$AM=i,this.options=n,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=p}_$AI(e,t=this,r,i){let n=this.strings,s=!1;if(n===void 0)e=w(this,e,t,0),s=!E(e)||e!==this._$AH&&e!==$,s&&(this._$AH=e);else{let l=e,a,h;for(e=n[0],a=0;a<n.length-1;a++)h=w(this,l[r+a],t,a),h===$&&(h=this._$AH[a]),s||=!E(h)||h!==this._$AH[a],h===p?e=p:e!==p&&(e+=(h??"")+n[a+1]),this._$AH[a]=h}s&&!i&&this.j(e)}j(e){e===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},D=class extends _{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===p?void 0:e}},B=class extends _{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==p)}},V=class extends _{constructor(e,t,r,i,n){super(e,t,r,i,n),this.type=5}_$AI(e,t=this){if((e=w(this,e,t,0)??p)===$)return;let r=this._$AH,i=e===p&&r!==p||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,n=e!==p&&(r===p||i);i&&this.element.removeEventListener(this.name,this,r),n&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},W=class{constructor(e,t,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){w(this,e)}};var ke=I.litHtmlPolyfillSupport;ke?.(C,P),(I.litHtmlVersions??=[]).push("3.3.3");var me=(o,e,t)=>{let r=t?.renderBefore??e,i=r._$litPart$;if(i===void 0){let n=t?.renderBefore??null;r._$litPart$=i=new P(e.insertBefore(S(),n),n,void 0,t??{})}return i._$AI(o),i};var O=globalThis,L=O.ShadowRoot&&(O.ShadyCSS===void 0||O.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Z=Symbol(),ue=new WeakMap,T=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==Z)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(L&&e===void 0){let r=t!==void 0&&t.length===1;r&&(e=ue.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&ue.set(t,e))}return e}toString(){return this.cssText}},ge=o=>new T(typeof o=="string"?o:o+"",void 0,Z),F=(o,...e)=>{let t=o.length===1?o[0]:e.reduce((r,i,n)=>r+(s=>{if(s._$cssResult$===!0)return s.cssText;if(typeof s=="number")return s;throw Error("Value passed to 'css' function must be a 'css' function result: "+s+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+o[n+1],o[0]);return new T(t,o,Z)},fe=(o,e)=>{if(L)o.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let r=document.createElement("style"),i=O.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=t.cssText,o.appendChild(r)}},J=L?o=>o:o=>o instanceof CSSStyleSheet?(e=>{let t="";for(let r of e.cssRules)t+=r.cssText;return ge(t)})(o):o;var{is:Se,defineProperty:Ee,getOwnPropertyDescriptor:Ce,getOwnPropertyNames:Pe,getOwnPropertySymbols:Te,getPrototypeOf:Me}=Object,H=globalThis,be=H.trustedTypes,Ue=be?be.emptyScript:"",ze=H.reactiveElementPolyfillSupport,M=(o,e)=>o,G={toAttribute(o,e){switch(e){case Boolean:o=o?Ue:null;break;case Object:case Array:o=o==null?o:JSON.stringify(o)}return o},fromAttribute(o,e){let t=o;switch(e){case Boolean:t=o!==null;break;case Number:t=o===null?null:Number(o);break;case Object:case Array:try{t=JSON.parse(o)}catch{t=null}}return t}},ye=(o,e)=>!Se(o,e),ve={attribute:!0,type:String,converter:G,reflect:!1,useDefault:!1,hasChanged:ye};Symbol.metadata??=Symbol("metadata"),H.litPropertyMetadata??=new WeakMap;var u=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ve){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(e,r,t);i!==void 0&&Ee(this.prototype,e,i)}}static getPropertyDescriptor(e,t,r){let{get:i,set:n}=Ce(this.prototype,e)??{get(){return this[t]},set(s){this[t]=s}};return{get:i,set(s){let l=i?.call(this);n?.call(this,s),this.requestUpdate(e,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ve}static _$Ei(){if(this.hasOwnProperty(M("elementProperties")))return;let e=Me(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(M("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(M("properties"))){let t=this.properties,r=[...Pe(t),...Te(t)];for(let i of r)this.createProperty(i,t[i])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[r,i]of t)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[t,r]of this.elementProperties){let i=this._$Eu(t,r);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let i of r)t.unshift(J(i))}else e!==void 0&&t.push(J(e));return t}static _$Eu(e,t){let r=t.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let r of t.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return fe(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,r){this._$AK(e,r)}_$ET(e,t){let r=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,r);if(i!==void 0&&r.reflect===!0){let n=(r.converter?.toAttribute!==void 0?r.converter:G).toAttribute(t,r.type);this._$Em=e,n==null?this.removeAttribute(i):this.setAttribute(i,n),this._$Em=null}}_$AK(e,t){let r=this.constructor,i=r._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let n=r.getPropertyOptions(i),s=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:G;this._$Em=i;let l=s.fromAttribute(t,n.type);this[i]=l??this._$Ej?.get(i)??l,this._$Em=null}}requestUpdate(e,t,r,i=!1,n){if(e!==void 0){let s=this.constructor;if(i===!1&&(n=this[e]),r??=s.getPropertyOptions(e),!((r.hasChanged??ye)(n,t)||r.useDefault&&r.reflect&&n===this._$Ej?.get(e)&&!this.hasAttribute(s._$Eu(e,r))))return;this.C(e,t,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:r,reflect:i,wrapped:n},s){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,s??t??this[e]),n!==!0||s!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(t=void 0),this._$AL.set(e,t)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,n]of this._$Ep)this[i]=n;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,n]of r){let{wrapped:s}=n,l=this[i];s!==!0||this._$AL.has(i)||l===void 0||this.C(i,void 0,n,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(t)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};u.elementStyles=[],u.shadowRootOptions={mode:"open"},u[M("elementProperties")]=new Map,u[M("finalized")]=new Map,ze?.({ReactiveElement:u}),(H.reactiveElementVersions??=[]).push("2.1.2");var Q=globalThis,A=class extends u{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=me(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return $}};A._$litElement$=!0,A.finalized=!0,Q.litElementHydrateSupport?.({LitElement:A});var Re=Q.litElementPolyfillSupport;Re?.({LitElement:A});(Q.litElementVersions??=[]).push("4.2.2");var $e=class{chains=[];payers=[];bridged=!1;lists=new Map;here=new Map;api;only;constructor(e,t=[]){this.api=e,this.only=t}async load(e,t){let[r,i,n]=await Promise.all([this.api.chains(),this.api.tools(),t.length?t:this.api.payers()]),s=Oe(i);this.bridged=i.bridges.length>0,this.chains=r.filter(({id:l})=>s.has(l)&&(!e.length||e.includes(l))),this.payers=this.chains.filter(({id:l,served:a})=>n.length?n.includes(l):a!==!1)}chain(e){return this.chains.find(t=>t.id===e)??null}tokens(e){let t=this.lists.get(e);if(t!==void 0)return t;let r=this.api.tokens(e).then(i=>this.limited(e,i.map(we)));return this.lists.set(e,r),r.then(i=>this.here.set(e,i),()=>this.lists.delete(e)),r}listed(e){return this.here.get(e)??[]}async find(e,t){let r=await this.tokens(e.id),i=r.find(({address:n})=>X(n,t))??r.find(({symbol:n})=>n.toLowerCase()===t.toLowerCase());return i||(t.length>=32?this.unlisted(e,t).catch(()=>null):null)}async unlisted(e,t,r){return{...we(await this.api.token(e.id,t,r)),unlisted:!0}}limited(e,t){let r=this.only.filter(i=>i.startsWith(`${e}:`)).map(i=>i.slice(i.indexOf(":")+1).toLowerCase());return r.length?t.filter(({symbol:i,address:n})=>r.includes(i.toLowerCase())||r.includes(n.toLowerCase())):t}};function we(o){let e=(t,r)=>{let i=[...t.replace(/[\p{C}\p{Zl}\p{Zp}]/gu,"")];return i.length>r?`${i.slice(0,r).join("")}\u2026`:i.join("")};return{...o,symbol:e(o.symbol,32),name:e(o.name,64)}}function Oe(o){return new Set([...o.exchanges,...o.bridges].flatMap(({supportedChains:e})=>e.map(Number)))}function tt(o,e){let t=e.trim().toLowerCase();if(!t)return o;let r=({symbol:n,name:s,address:l})=>{let[a,h]=[n.toLowerCase(),s.toLowerCase()];return a===t||l.toLowerCase()===t?0:a.startsWith(t)?1:h.startsWith(t)?2:a.includes(t)||h.includes(t)?3:4};return o.map((n,s)=>({grade:r(n),place:s,token:n})).filter(({grade:n})=>n<4).sort((n,s)=>n.grade-s.grade||n.place-s.place).map(({token:n})=>n)}var ot=F`
  :host {
    --paper: var(--rhumbline-paper, light-dark(#f8f5ec, #0c1920));
    --raised: var(--rhumbline-raised, light-dark(#fffdf7, #12232c));
    --water: var(--rhumbline-water, light-dark(#e8f1f3, #10303a));
    --line: var(--rhumbline-line, light-dark(#d9d3c1, #25404b));
    --line-strong: var(--rhumbline-line-strong, light-dark(#7b8c95, #5d7a87));
    --ink: var(--rhumbline-ink, light-dark(#12303e, #e4edef));
    --soft: var(--rhumbline-soft, light-dark(#4f6470, #9fb4bd));
    --sea: var(--rhumbline-accent, light-dark(#0b6680, #62c3dc));
    --sea-deep: var(--rhumbline-accent-strong, light-dark(#084d61, #8fd8ea));
    --on-sea: var(--rhumbline-on-accent, light-dark(#ffffff, #06222b));
    --course: var(--rhumbline-course, light-dark(#a82565, #f08cb8));
    --good: light-dark(#1d6b45, #7fd0a2); --mind: light-dark(#845306, #e9bb66); --bad: light-dark(#a32a2a, #f29a92);
    --good-ground: light-dark(#e5f2e9, #123326); --mind-ground: light-dark(#fbf0d9, #35290f);
    --bad-ground: light-dark(#fbe6e3, #3a1a1a);
    --serif: var(--rhumbline-serif, "Iowan Old Style", "Palatino Linotype", Palatino,
      "URW Palladio L", "P052", "DejaVu Serif", Georgia, serif);
    --mono: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    --round: var(--rhumbline-radius, 6px);
    display: block; color: var(--ink); text-align: start; text-transform: none; letter-spacing: normal;
    word-spacing: normal; white-space: normal; overflow-wrap: break-word;
    font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; container-type: inline-size;
  }
  * { box-sizing: border-box; }
  [hidden] { display: none !important; }
  h2, h3 { font-family: var(--serif); line-height: 1.2; font-weight: 600; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
  h2 { font-size: 1.2rem; } h3 { font-size: 1rem; }
  p { margin: 0 0 0.7rem; }
  a { color: var(--sea); text-underline-offset: 0.18em; }
  code, .mono, .number {
    font-family: var(--mono); font-size: 0.92em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
  }
  .soft { color: var(--soft); }
  .small { font-size: 0.85rem; }
  .good { color: var(--good); }
  .mind { color: var(--mind); }
  .bad { color: var(--bad); }
  .hide {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
    margin: 0;
  }
  :focus-visible { outline: 3px solid var(--course); outline-offset: 2px; border-radius: 3px; }
  .card {
    background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 1rem;
    box-shadow: 0 1px 0 var(--line); min-width: 0;
  }
  .card + .card { margin-top: 1rem; }
  label, .label { display: block; font-size: 0.85rem; font-weight: 600; color: var(--soft); }
  label .optional { font-weight: 400; }
  input, select {
    font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line-strong);
    border-radius: 4px; padding: 0.5rem 0.65rem; min-height: 2.6rem; width: 100%;
  }
  input[type="radio"], input[type="checkbox"] {
    width: 1.15rem; height: 1.15rem; min-height: 0; padding: 0; accent-color: var(--sea); margin: 0; flex: none;
  }
  input[aria-invalid="true"] { border-color: var(--bad); }
  input::placeholder { color: var(--soft); opacity: 0.85; }
  .fault { font-size: 0.87rem; color: var(--bad); margin: 0.25rem 0 0; } .fault:empty { display: none; }
  button {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; font-family: inherit;
    font-size: 0.95rem; font-weight: 600; line-height: 1.2; color: var(--sea); background: transparent;
    border: 1px solid var(--sea); border-radius: 4px; padding: 0.5rem 0.9rem; min-height: 2.5rem; min-width: 0;
    cursor: pointer;
  }
  button:hover:not([aria-disabled="true"]) { background: var(--water); color: var(--sea-deep); }
  button.main { background: var(--sea); color: var(--on-sea); min-height: 3rem; font-size: 1.05rem; }
  button.main:hover:not([aria-disabled="true"]) { background: var(--sea-deep); color: var(--on-sea); }
  button.wide { width: 100%; }
  button.plain { border-color: transparent; padding-inline: 0.4rem; } button.plain.small { font-weight: 400; }
  button[aria-disabled="true"] {
    cursor: default; color: var(--soft); border-color: var(--line-strong); background: var(--water);
  }
  .bar { display: flex; flex-wrap: wrap; gap: 0.5rem 0.8rem; align-items: center; margin-bottom: 0.8rem; }
  .views { display: flex; gap: 0.3rem; margin-inline-end: auto; }
  .view {
    border-color: transparent; color: var(--soft); font-family: var(--serif); font-size: 1.15rem; border-radius: 0;
    border-bottom: 2px solid transparent; padding-inline: 0.3rem;
  }
  .view[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--course); }
  .columns { display: grid; gap: 1.2rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
  @container (min-width: 56rem) { .columns { grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); } }
  .side {
    background: var(--water); border: 1px solid var(--line); border-radius: var(--round); padding: 0.7rem 0.8rem;
  }
  .side-top, .side-main, .side-foot {
    display: flex; align-items: center; gap: 0.6rem; justify-content: space-between; flex-wrap: wrap;
  }
  .side-main, .side-foot { flex-wrap: nowrap; }
  .side-foot > * { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #balance { flex: none; max-width: 70%; }
  .side-top { min-height: 1.9rem; } .side-foot { min-height: 1.4rem; font-size: 0.87rem; }
  .amount {
    font: 500 1.7rem/1.25 var(--mono); font-variant-numeric: tabular-nums; min-width: 0; flex: 1;
    overflow-wrap: anywhere;
  }
  input.amount:focus-visible { outline-offset: -3px; }
  input.amount { border: 0; background: transparent; padding: 0.1rem 0.45rem; margin-inline-start: -0.45rem; }
  output.amount { font-size: 1.5rem; }
  output.amount.long { font-size: 1.1rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .shares { display: inline-flex; align-items: center; gap: 0.25rem; flex-wrap: wrap; }
  .share { min-height: 1.6rem; padding: 0.1rem 0.45rem; font-size: 0.8rem; border-color: var(--line-strong); }
  .token {
    position: relative; border-color: var(--line-strong); color: var(--ink); background: var(--raised);
    border-radius: 99px; padding: 0.3rem 0.7rem 0.3rem 0.4rem; flex: none; max-width: 55%;
  }
  .token-text { display: grid; text-align: start; line-height: 1.15; min-width: 0; }
  .token-text > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .where { font-size: 0.72rem; font-weight: 400; color: var(--soft); }
  .logo { border-radius: 50%; flex: none; }
  .flip { display: flex; justify-content: center; margin: -0.55rem 0; position: relative; }
  .flip button {
    border-radius: 50%; width: 2.4rem; height: 2.4rem; min-height: 0; padding: 0; background: var(--raised);
    border-color: var(--line-strong); color: var(--ink);
  }
  .rate {
    display: flex; justify-content: space-between; align-items: center; gap: 0.5rem; margin-top: 0.3rem;
    min-height: 2.5rem;
  }
  .form > .field, .form > details, .form > .note { margin-top: 0.5rem; }
  .form > .main { margin-top: 0.6rem; }
  summary { cursor: pointer; color: var(--soft); min-height: 2rem; font-size: 0.9rem; padding: 0.25rem 0; }
  .chains { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; margin: 0.3rem 0 0.6rem; }
  .chip {
    min-height: 2rem; padding: 0.2rem 0.7rem; border-radius: 99px; border-color: var(--line-strong); color: var(--ink);
    font-size: 0.87rem;
  }
  .chip[aria-pressed="true"] { background: var(--sea); color: var(--on-sea); border-color: var(--sea); }
  .own input { width: 6rem; min-height: 2rem; padding: 0.2rem 0.5rem; }
  .note {
    border-inline-start: 3px solid var(--line-strong); background: var(--water); border-radius: 0 4px 4px 0;
    padding: 0.55rem 0.8rem; margin: 0 0 0.7rem; color: var(--ink);
  }
  .note > :last-child { margin-bottom: 0; }
  .note.mind { border-color: var(--mind); background: var(--mind-ground); }
  .note.bad { border-color: var(--bad); background: var(--bad-ground); }
  .yes { display: flex; gap: 0.5rem; align-items: center; color: var(--ink); font-size: 0.95rem; min-height: 2rem; }
  .badge {
    display: inline-block; font-size: 0.74rem; font-weight: 600; line-height: 1.3; border: 1px solid currentcolor;
    border-radius: 99px; padding: 0 0.5rem; white-space: nowrap; color: var(--soft);
  }
  .badge.recommended, .badge.good { color: var(--good); background: var(--good-ground); }
  .badge.fastest, .badge.cheapest { color: var(--sea); }
  .badge.mind { color: var(--mind); background: var(--mind-ground); }
  .badge.bad { color: var(--bad); background: var(--bad-ground); }
  .tags, .pick { vertical-align: middle; } .tags { display: inline-flex; gap: 0.25rem; flex-wrap: wrap; }
  .routes-top {
    display: flex; justify-content: space-between; align-items: center; gap: 0.8rem; margin-bottom: 0.4rem;
  }
  .routes-top h2 { margin: 0; }
  .sort { display: flex; align-items: center; gap: 0.5rem; white-space: nowrap; }
  .sort select { width: auto; min-height: 2rem; padding: 0.15rem 0.4rem; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
  td.end { white-space: nowrap; }
  th, td {
    text-align: start; vertical-align: middle; padding: 0.35rem 0.7rem 0.35rem 0; border-bottom: 1px solid var(--line);
  }
  thead th { color: var(--soft); font-size: 0.8rem; font-weight: 600; } tbody th { font-weight: 600; }
  .end { text-align: end; } td.end:last-child, th.end:last-child { padding-inline-end: 0; }
  #routes td .open { vertical-align: middle; }
  tbody.chosen > tr:first-child { background: var(--water); box-shadow: inset 3px 0 var(--course); }
  tbody > tr > th:first-child { padding-inline-start: 0.5rem; }
  .pick {
    display: inline-flex; gap: 0.5rem; align-items: center; color: var(--ink); font-size: 0.9rem; min-height: 2rem;
    cursor: pointer; margin-inline-end: 0.4rem;
  }
  .under { display: block; font-size: 0.8rem; color: var(--soft); }
  .open { vertical-align: middle; min-height: 1.75rem; width: 1.9rem; padding: 0; border-color: transparent; }
  .fees td.number { white-space: nowrap; }
  .detail td { padding: 0.7rem 0.5rem 1rem; white-space: normal; }
  .detail-columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
  @container (min-width: 70rem) { .detail-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
  .believed { margin: 0; padding-inline-start: 1.1rem; }
  .course { display: block; max-width: 100%; height: auto; margin: 0 0 0.6rem; font: 12px var(--mono); }
  .course text { fill: var(--ink); text-anchor: middle; }
  .course .how { fill: var(--soft); font-size: 11px; }
  .course .venue { fill: var(--course); font-weight: 600; }
  .course circle { fill: var(--raised); stroke: var(--ink); stroke-width: 2; }
  .course line { stroke: var(--course); stroke-width: 2; }
  .course line.bridge { stroke-dasharray: 7 5; }
  .log { list-style: none; margin: 0.4rem 0; padding: 0; }
  .log li { display: grid; grid-template-columns: 1.6rem 1fr; gap: 0 0.5rem; padding: 0.3rem 0; }
  .log li::before {
    content: ""; width: 0.8rem; height: 0.8rem; margin: 0.35rem auto 0; border: 2px solid var(--soft);
    border-radius: 50%;
  }
  .log li.doing::before { border-color: var(--course); border-inline-end-color: transparent; }
  .log li.done::before { border-color: var(--good); background: var(--good); }
  .log li.failed::before {
    border-color: var(--bad); border-radius: 1px;
    background: linear-gradient(45deg, transparent 40%, var(--bad) 40% 60%, transparent 60%),
      linear-gradient(-45deg, transparent 40%, var(--bad) 40% 60%, transparent 60%);
  }
  .transfers { list-style: none; margin: 0; padding: 0; } .transfers > li { border-bottom: 1px solid var(--line); }
  .transfers > li:last-child { border: 0; }
  .transfers summary::before {
    content: ""; border: 0.32rem solid transparent; border-inline-start-color: currentcolor;
    border-inline-end-width: 0;
  }
  .transfers details[open] > summary::before { rotate: 90deg; }
  .transfers .progress { background: none; border: 0; box-shadow: none; padding: 0 0 0.6rem 1.2rem; }
  .transfers .progress h2 { display: none; }
  .transfers summary {
    display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; align-items: center; min-height: 3rem; color: var(--ink);
  }
  .transfers time { margin-inline-start: auto; }
  .refusals { display: grid; grid-template-columns: auto 1fr; gap: 0.2rem 1rem; font-size: 0.87rem; }
  .refusals dt { font-family: var(--mono); }
  .refusals dd { margin: 0; color: var(--soft); }
  .serves { margin: 0.9rem 0 0; }
  .empty { padding: 1rem; border: 1px dashed var(--line-strong); border-radius: var(--round); margin: 0; }
  .skeleton { background: var(--line); border-radius: 4px; color: transparent; }
  .skeleton.bar { height: 1.6rem; width: 8rem; margin-bottom: 1rem; }
  .skeleton.line { height: 2.6rem; margin: 0.5rem 0; }
  dialog {
    color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: 8px;
    padding: 1.2rem; width: min(27rem, calc(100vw - 1.5rem));
  }
  dialog::backdrop { background: rgb(6 24 32 / 55%); }
  .dialog-top { display: flex; justify-content: space-between; align-items: start; }
  .wallets { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.5rem; }
  .wallets button { width: 100%; justify-content: start; color: var(--ink); border-color: var(--line-strong); }
  .wallets img { border-radius: 6px; }
  #tokens { list-style: none; margin: 0.6rem 0 0; padding: 0; height: min(22rem, 48vh); overflow-y: auto; }
  #tokens li {
    display: flex; gap: 0.7rem; align-items: center; padding: 0.4rem 0.5rem; border-radius: 4px; cursor: pointer;
    min-height: 3rem;
  }
  #tokens li[aria-selected="true"] { background: var(--water); outline: 2px solid var(--sea); outline-offset: -2px; }
  #tokens li:hover { background: var(--water); }
  .option-text { display: grid; flex: 1; min-width: 0; line-height: 1.25; }
  .option-text .name {
    font-size: 0.82rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  .option-end { display: grid; text-align: end; }
  @container (max-width: 34rem) {
    .bar { flex-wrap: nowrap; gap: 0.4rem; }
    #wallet-state { display: grid; font-size: 0.75rem; text-align: end; min-width: 0; }
    #wallet-state > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #disconnect { font-size: 0.85rem; padding-inline: 0.2rem; }
    .card { padding: 0.8rem; } .side-top { gap: 0.3rem; } .shares { gap: 0.2rem; } .share { padding-inline: 0.3rem; }
    #routes thead { display: none; }
    #routes tbody { display: block; border-bottom: 1px solid var(--line); }
    #routes tbody > tr:not(.detail) { display: grid; grid-template-columns: 1fr auto; padding: 0.3rem 0.4rem; }
    #routes tbody > tr > th, #routes tbody > tr > td { border: 0; padding: 0.1rem 0; }
    #routes td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-family: inherit; }
    #routes td[data-label] { text-align: start; font-size: 0.84rem; }
    #routes td[data-label="Time"], #routes td[data-label="Steps"] { text-align: end; }
    #routes .detail, #routes .detail td { display: block; }
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton { animation: tide 1.4s ease-in-out infinite alternate; }
    .log li.doing::before { animation: turn 1.2s linear infinite; } @keyframes turn { to { rotate: 1turn; } }
    @keyframes tide { from { opacity: 0.45; } to { opacity: 0.9; } }
  }
`;function Le(o,{symbol:e,address:t,logoURI:r}){let i=new URL(o||"/",location.href);try{let s=new URL(r??"",i);if(r&&s.origin===i.origin)return s.href}catch{}let n=e.replace(/[^A-Za-z0-9]/g,"").slice(0,3)||"-";return`${i.href.replace(/\/+$/,"")}/logos/${n}/${t}.svg`}var lt=(o,e,t=28)=>x`<img class="logo" src=${Le(o,e)} alt="" width=${t} height=${t} loading="lazy">`;function dt(o,e){let t=ee(o?.blockExplorerUrls),r=x`<code title=${e}>${Y(e)}</code>`;if(!t)return r;let i=`${t.href.replace(/\/$/,"")}/tx/${e}`;return x`<a href=${i} rel="noreferrer" target="_blank">${r}</a>`}var ht=o=>o.target;var U=o=>x`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor"
    stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${pe`<path d=${o}></path>`}</svg>`,mt=U("M4 6l4 4 4-4"),ut=U("M4 10l4-4 4 4"),gt=U("M5 2v12M5 14l-3-3M5 14l3-3M11 14V2M11 2L8 5M11 2l3 3"),ft=U("M2 5h12M14 5l-3-3M14 11H2M2 11l3 3"),bt=U("M4 4l8 8M12 4l-8 8");export{x as a,pe as b,p as c,A as d,$e as e,tt as f,ot as g,lt as h,dt as i,ht as j,mt as k,ut as l,gt as m,ft as n,bt as o};
