/* close_window CLASS: asks the first top-level window of this class to close, as its close button would.
 * Exit code 0: asked; 1: there is no such window (yet); 2: wrong use; 3: no display. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
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

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: close_window CLASS\n");
        return 2;
    }
    Display* display = XOpenDisplay(NULL);
    if (display == NULL) return 3;
    Window window = find(display, DefaultRootWindow(display), argv[1]);
    if (window != None) {
        XEvent event = {0};
        event.xclient.type = ClientMessage;
        event.xclient.window = window;
        event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
        event.xclient.format = 32;
        event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
        event.xclient.data.l[1] = CurrentTime;
        XSendEvent(display, window, False, NoEventMask, &event);
    }
    XCloseDisplay(display);
    return window == None ? 1 : 0;
}
