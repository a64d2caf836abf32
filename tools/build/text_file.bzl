"""Files whose text is made of lists of the build: no program and no shell takes part."""

def _text_file_impl(ctx):
    ctx.actions.write(ctx.outputs.out, ctx.attr.text)
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

text_file = rule(
    doc = "A file with this text.",
    implementation = _text_file_impl,
    attrs = {
        "out": attr.output(mandatory = True),
        "text": attr.string(mandatory = True),
    },
)

def fill(template, **values):
    """A template with each ${name} replaced by its value.

    Args:
      template: text.
      **values: by names.

    Returns:
      the text.
    """
    for name, value in values.items():
        template = template.replace("${%s}" % name, value)
    return template
