/* window_message CLASS close        asks the first top-level window of this class to close, as its close button would
 * window_message CLASS drop URIS    drops files on it, as a file manager would; one URI a line
 * window_message CLASS drawn        asks nothing of it: whether it shows more than one colour
 * window_message CLASS frames N     waits until it has taken what came before this, and drawn N frames since
 * Exit code 0: done; 1: there is no such window (yet), or it does not want them, or shows nothing; 2: wrong use; 3: no display. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_class(Display* display, Window window, const char* wanted) {
    XClassHint hint = {0};
    XWindowAttributes attributes;
    if (!XGetClassHint(display, window, &hint)) return 0;
    int same = hint.res_class != NULL && strcmp(hint.res_class, wanted) == 0;
    if (hint.res_name != NULL) XFree(hint.res_name);
    if (hint.res_class != NULL) XFree(hint.res_class);
    return same && XGetWindowAttributes(display, window, &attributes) && attributes.map_state == IsViewable;
}

static Window find(Display* display, Window parent, const char* wanted) {
    Window root, up, *children = NULL, found = None;
    unsigned count = 0;
    if (!XQueryTree(display, parent, &root, &up, &children, &count)) return None;
    for (unsigned i = 0; i < count && found == None; ++i) {
        found = has_class(display, children[i], wanted) ? children[i] : find(display, children[i], wanted);
    }
    if (children != NULL) XFree(children);
    return found;
}

static void send_message(Display* display, Window window, const char* type, const long* words) {
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display, type, False);
    event.xclient.format = 32;
    memcpy(event.xclient.data.l, words, 5 * sizeof *words);
    XSendEvent(display, window, False, NoEventMask, &event);
    XFlush(display);
}

static void close_by_button(Display* display, Window window) {
    const long words[5] = {(long)XInternAtom(display, "WM_DELETE_WINDOW", False), CurrentTime};
    send_message(display, window, "WM_PROTOCOLS", words);
}

/* Hands over what is dropped: the window asks for it as for a selection. */
static void answer(Display* display, const XSelectionRequestEvent* request, const char* uris) {
    XEvent event = {0};
    XChangeProperty(display, request->requestor, request->property, request->target, 8, PropModeReplace,
                    (const unsigned char*)uris, (int)strlen(uris));
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    XSendEvent(display, request->requestor, False, NoEventMask, &event);
    XFlush(display);
}

/* The next event within five seconds; 0: there is none. */
static int next_event(Display* display, XEvent* event) {
    struct pollfd arrives = {.fd = ConnectionNumber(display), .events = POLLIN};
    if (XPending(display) == 0 && poll(&arrives, 1, 5000) <= 0) return 0;
    XNextEvent(display, event);
    return 1;
}

/* The protocol's fifth version: enter, position, (status), drop, (finished). */
static int drop(Display* display, Window window, const char* uris) {
    const Window source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Atom finished = XInternAtom(display, "XdndFinished", False);
    const Atom status = XInternAtom(display, "XdndStatus", False);
    const long enter[5] = {(long)source, 5L << 24, (long)XInternAtom(display, "text/uri-list", False)};
    const long position[5] = {(long)source, 0, 100L << 16 | 100, CurrentTime,
                              (long)XInternAtom(display, "XdndActionCopy", False)};
    const long drops[5] = {(long)source, 0, CurrentTime};
    XSetSelectionOwner(display, XInternAtom(display, "XdndSelection", False), source, CurrentTime);
    send_message(display, window, "XdndEnter", enter);
    send_message(display, window, "XdndPosition", position);
    for (XEvent event; next_event(display, &event);) {
        if (event.type == SelectionRequest) answer(display, &event.xselectionrequest, uris);
        if (event.type != ClientMessage) continue;
        if (event.xclient.message_type == status) send_message(display, window, "XdndDrop", drops);
        if (event.xclient.message_type == finished) return 0;
    }
    return 1;
}

/* It answers a window manager's ping where it takes its input, which it does once a frame. */
static int await_frames(Display* display, Window window, int frames) {
    const Window root = DefaultRootWindow(display);
    const Atom ping = XInternAtom(display, "_NET_WM_PING", False);
    XSelectInput(display, root, SubstructureNotifyMask);
    for (int sent = 0; sent < frames; ++sent) {
        const long words[5] = {(long)ping, sent + 1, (long)window};
        send_message(display, window, "WM_PROTOCOLS", words);
        XEvent event;
        do {
            if (!next_event(display, &event)) return 1;
        } while (event.type != ClientMessage || (Atom)event.xclient.data.l[0] != ping ||
                 event.xclient.data.l[1] != sent + 1);
    }
    return 0;
}

/* By the pixels on its diagonal. */
static int is_drawn(Display* display, Window window) {
    XWindowAttributes its;
    if (!XGetWindowAttributes(display, window, &its)) return 0;
    XImage* image = XGetImage(display, window, 0, 0, (unsigned)its.width, (unsigned)its.height, AllPlanes, ZPixmap);
    if (image == NULL) return 0;
    int drawn = 0;
    for (int y = 0; y < its.height && !drawn; ++y)
        drawn = XGetPixel(image, y * its.width / its.height, y) != XGetPixel(image, 0, 0);
    XDestroyImage(image);
    return drawn;
}

int main(int argc, char** argv) {
    const int looks = argc == 3 && strcmp(argv[2], "drawn") == 0;
    const int closes = argc == 3 && strcmp(argv[2], "close") == 0;
    const int drops = argc == 4 && strcmp(argv[2], "drop") == 0;
    const int awaits = argc == 4 && strcmp(argv[2], "frames") == 0;
    if (!looks && !closes && !drops && !awaits) {
        fprintf(stderr, "usage: window_message CLASS close|drawn|drop URIS|frames N\n");
        return 2;
    }
    Display* display = XOpenDisplay(NULL);
    if (display == NULL) return 3;
    const Window window = find(display, DefaultRootWindow(display), argv[1]);
    int failed = window == None;
    if (!failed && looks) failed = !is_drawn(display, window);
    if (!failed && closes) close_by_button(display, window);
    if (!failed && drops) failed = drop(display, window, argv[3]);
    if (!failed && awaits) failed = await_frames(display, window, atoi(argv[3]));
    XCloseDisplay(display);
    return failed;
}
